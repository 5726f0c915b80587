import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { BODY_BYTES_MAX } from "../../engine/limits.ts";
import { answering, cli } from "../support/engine/cli.ts";
import { sharedFolder } from "../support/engine/files.ts";
import { type EngineProcess, START, startEngineProcess } from "../support/engine/process.ts";
import { freePort } from "../support/fake-server.ts";
import { json } from "../support/http.ts";
import { MACHINE } from "../support/processes.ts";
import { startPlayedOllama } from "../support/providers/ollama.ts";

const folder = sharedFolder();
const SCRIPT = "/usr/bin/script";

/** Runs `setup` in a folder, and answers each question with Enter. */
async function setUpByEnter({ dataDirectory }: EngineProcess, folder: string) {
  const person = answering();
  const ended = await cli({ ENGINE_DATA_DIR: dataDirectory }, ["setup"], { folder, ...person });
  return { ...ended, presses: person.questions };
}

describe("setup", () => {
  it("asks nothing without a terminal", async () => {
    const { code, error } = await cli({}, ["setup"]);
    assert.equal(code, 1);
    assert.match(error, /run it on a terminal/);
  });

  it("ends in a first answer with its sources, by four presses of Enter", async () => {
    const notes = join(folder, "notes");
    mkdirSync(notes);
    writeFileSync(join(notes, "plan.md"), "# Plan\n\nThe zeppelin leaves at noon.\n");
    await using ollama = await startPlayedOllama({ "llama3.2": {} });
    await using engine = await startEngineProcess();
    const input = { provider: "ollama", model: "llama3.2", baseUrl: ollama.url };
    await engine.call("POST", "/model-configurations", input);
    // A workspace of the folder around it is another one.
    await engine.call("POST", "/workspaces", {
      name: "all",
      directories: JSON.stringify([folder]),
    });
    ollama.reply(
      "OK",
      { call: "search_workspace_index", args: { query: "zeppelin" } },
      "It leaves at noon (plan.md:1-3).",
    );
    const { code, out, error, presses } = await setUpByEnter(engine, notes);
    assert.equal(code, 0, error);
    assert.equal(presses, 4);
    assert.match(error, /It responded after \d+ ms\./);
    assert.match(error, /notes is ready: you can search 1 file\./);
    assert.match(out, /^It leaves at noon \(plan\.md:1-3\)\.\n\nSources:\n.*plan\.md:1-3\n$/);
    assert.match(ollama.chats.at(-1)?.prompt ?? "", /The zeppelin leaves at noon/);
    const offered = JSON.stringify(ollama.chats.at(-1)?.body.tools);
    assert.match(offered, /search_workspace_index/);
    assert.doesNotMatch(
      offered,
      /"list_directory"|"read_file"/,
      "the whole machine is not offered",
    );
    const made = (await json(await engine.call("GET", "/workspaces"))).find(
      ({ name }: { name: string }) => name === "notes",
    );
    assert.deepEqual(JSON.parse(made.directories), [notes]);
    assert.deepEqual(JSON.parse(made.approvalConfig), { read: false });
    assert.deepEqual(JSON.parse(made.toolsConfig), {
      builtin: { filesystem: { enabled: false } },
    });
  });

  it("says that the server of a configured model is down, and ends with passages by Enter alone", async () => {
    const folderOfDown = join(folder, "down");
    mkdirSync(folderOfDown);
    writeFileSync(join(folderOfDown, "what.md"), "# This folder\n\nWhat is in this folder.\n");
    await using engine = await startEngineProcess();
    const baseUrl = `http://127.0.0.1:${await freePort()}/v1`;
    await engine.call("POST", "/model-configurations", { provider: "ollama", model: "m", baseUrl });
    const { code, out, error } = await setUpByEnter(engine, folderOfDown);
    assert.equal(code, 0, error);
    assert.match(error, /Nothing answers at http:\/\/127\.0\.0\.1:\d+\. Is Ollama running\?/);
    assert.match(out, /what\.md:1-3 {2}\d\.\d{3}\n {4}1: # This folder/);
    assert.match(error, /No model is connected, so these are matching passages.*Install Ollama/);
    const { length } = (await (await engine.call("GET", "/model-configurations")).json()) as [];
    assert.equal(length, 1, "the configured model stays");
  });

  it("ends with a command that finds the workspace, also where another has its name", async () => {
    const folderOfBoth = join(folder, "both");
    mkdirSync(folderOfBoth);
    await using engine = await startEngineProcess();
    await engine.call("POST", "/workspaces", { name: "both" });
    const { code, error } = await setUpByEnter(engine, folderOfBoth);
    assert.equal(code, 0, error);
    assert.ok(error.includes(`--workspace ${JSON.stringify(folderOfBoth)}`), error);
  });
});

describe("export and import", () => {
  it("bring conversations into another engine, and leave nothing where that fails", async () => {
    const file = join(folder, "all.jsonl");
    {
      await using engine = await startEngineProcess();
      const env = { ENGINE_DATA_DIR: engine.dataDirectory };
      await cli(env, ["chat", "one"]);
      await cli(env, ["chat", "two\n# no heading"]);
      const { json } = await cli(env, ["export", file, "--json"]);
      assert.deepEqual(json, [{ exported: file }]);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      const { out } = await cli(env, ["export", "--format", "markdown"]);
      assert.match(
        out,
        /^# First steps\n\n## .*\n\n\*\*user\*\*, \d{1,2} \w+ \d{4} at \d\d:\d\d\n\n(one|two)\n/,
      );
      assert.equal((await cli(env, ["export", file])).code, 1, "a file is never replaced");
    }
    await using engine = await startEngineProcess();
    const env = { ENGINE_DATA_DIR: engine.dataDirectory };
    const counts = { workspaces: 1, threads: 2, messages: 4 };
    const dry = await cli(env, ["import", file, "--dry-run", "--json"]);
    assert.deepEqual(dry.json, [{ imported: false, ...counts }]);
    const { json, error } = await cli(env, ["import", file, "--json"]);
    assert.deepEqual(json, [{ imported: true, ...counts }], error);
    const names = async () =>
      ((await (await engine.call("GET", "/workspaces")).json()) as { name: string }[]).map(
        ({ name }) => name,
      );
    assert.deepEqual(await names(), ["First steps"]);
    const again = await cli(env, ["export"]);
    const texts = (jsonl: string) =>
      jsonl
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line).content)
        .filter(Boolean);
    assert.deepEqual(texts(again.out).sort(), texts(readFileSync(file, "utf8")).sort());
    const broken = join(folder, "broken.jsonl");
    // A text that the engine refuses, after much that it takes.
    const bad = readFileSync(file, "utf8")
      .replace(/"name":"[^"]*"/, `"name":"half"`)
      .trimEnd()
      .split("\n");
    const last = JSON.parse(bad.pop() ?? "{}");
    writeFileSync(
      broken,
      [...bad, JSON.stringify({ ...last, content: "x".repeat(BODY_BYTES_MAX) })].join("\n"),
    );
    assert.equal((await cli(env, ["import", broken])).code, 1);
    assert.deepEqual(await names(), ["First steps"]);
  });
});

describe("a start on a terminal", () => {
  it("says what runs, where, and what to do next", {
    skip: existsSync(SCRIPT) ? false : "there is no `script` here",
  }, async () => {
    const data = join(folder, "terminal");
    const command = [process.execPath, ...START].map((part) => `'${part}'`).join(" ");
    const child = spawn(SCRIPT, ["-qec", command, "/dev/null"], {
      env: {
        ...MACHINE,
        HOME: folder,
        ENGINE_DATA_DIR: data,
        ENGINE_PORT: "0",
        ENGINE_CREDENTIAL_STORE: "file",
      },
      stdio: ["pipe", "pipe", "ignore"],
    });
    let shown = "";
    const models = new Promise<void>((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        shown += text;
        if (/Models {3}.*\r?\n/.test(shown)) resolve();
      });
    });
    await models;
    assert.match(shown, /Roundhouse \d+\.\d+\.\d+/);
    assert.match(shown, /Address {2}http:\/\/127\.0\.0\.1:\d+/);
    assert.ok(shown.includes(data));
    assert.match(shown, /npm run engine -- setup/);
    child.stdin.write("\u0003");
    await once(child, "close");
    assert.ok(!existsSync(join(data, "credentials.key")), "no key is made for a welcome");
    assert.ok(!existsSync(join(data, "runtime.json")), "Ctrl-C is a clean stop");
  });
});
