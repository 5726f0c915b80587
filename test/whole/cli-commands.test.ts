import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, it } from "node:test";
import { cli, cliProcess } from "../support/engine/cli.ts";
import { sharedFolder } from "../support/engine/files.ts";
import { sharedEngine } from "../support/engine/process.ts";
import { json } from "../support/http.ts";

const folder = sharedFolder();

describe("without an engine", () => {
  const env = { ENGINE_DATA_DIR: join(folder, "none") };
  for (const args of [["status"], ["stop"], ["models"], ["index"], ["search", "word"]]) {
    it(`\`${args.join(" ")}\` ends with 1 and says so`, async () => {
      const { code, error } = await cli(env, args);
      assert.equal(code, 1);
      assert.match(
        error,
        /^The engine is not running on this data directory\. Start it with `npm start`\.\n$/,
      );
    });
  }

  it("`status --json` says it to a program, too", async () => {
    const { code, json } = await cliProcess(env, ["status", "--json"]);
    assert.equal(code, 1);
    assert.deepEqual(json, [{ running: false, data_directory: env.ENGINE_DATA_DIR }]);
  });

  it("`logs` has no lines", async () => {
    const { code, out, error } = await cli(env, ["logs"]);
    assert.equal(code, 0);
    assert.equal(out, "");
    assert.match(error, /no engine has run here yet/);
  });
});

describe("with an engine", () => {
  const running = sharedEngine();

  it("`status` says where it runs", async () => {
    const { code, json } = await cliProcess(running.env, ["status", "--json"]);
    assert.equal(code, 0);
    const { port, pid, version, startedAt } = running.engine.runtime;
    assert.deepEqual(json, [
      {
        running: true,
        version,
        address: `http://127.0.0.1:${port}`,
        process: pid,
        data_directory: running.engine.dataDirectory,
        started: startedAt,
        turns_running: 0,
        turns_waiting: 0,
      },
    ]);
    assert.match(
      (await cli(running.env, ["status"])).out,
      /^The engine runs at http:.*\n {2}Version/,
    );
  });

  it("`models` lists echo", async () => {
    const { json } = await cli(running.env, ["models", "--json"]);
    assert.deepEqual(json, [
      [{ id: "echo", name: "Echo", provider: "echo", default: false, problem: null }],
    ]);
  });

  it("`search` without a workspace says how to make one", async () => {
    const { code, error } = await cli(running.env, ["search", "plan"]);
    assert.equal(code, 1);
    assert.match(error, /Create one with `index DIR`/);
  });

  it("`index DIR` makes a workspace once, and `search` finds lines", async () => {
    const notes = join(folder, "notes");
    mkdirSync(join(notes, "deep"), { recursive: true });
    const lines = ["# Plan", "", "one", "two", "three", "The zeppelin leaves at noon."];
    writeFileSync(join(notes, "deep", "plan.md"), `${lines.join("\n")}\n`);
    const first = await cli(running.env, ["index", "notes", "--json"], { folder });
    assert.equal(first.code, 0, first.error);
    assert.equal(first.json[0][0].workspace, "notes");
    assert.equal(first.json[0][0].indexed, 1);
    const again = await cli(running.env, ["index", ".", "--json"], { folder: notes });
    assert.equal(again.json[0][0].unchanged, 1);
    const found = await cli(running.env, ["search", "zeppelin", "noon"], { folder: notes });
    const place = join(notes, "deep/plan.md");
    assert.match(found.out, new RegExp(`^${place}:1-6  \\d\\.\\d{3}\n.*    6: The zeppelin`, "s"));
    const none = await cli(running.env, ["search", "florbnag", "wuxtiple"], { folder: notes });
    assert.deepEqual([none.code, none.out], [0, ""]);
    assert.match(none.error, /^No results in notes\./);
    const listed = await (await running.engine.call("GET", "/workspaces")).json();
    assert.equal((listed as unknown[]).length, 1);
  });

  it("`index DIR` of a folder inside that of a workspace makes one of its own", async () => {
    const inner = join(folder, "outer", "docs");
    mkdirSync(inner, { recursive: true });
    writeFileSync(join(inner, "one.md"), "# One\n");
    writeFileSync(join(folder, "outer", "two.md"), "# Two\n");
    await cli(running.env, ["index", "outer"], { folder });
    const own = await cli(running.env, ["index", "outer/docs", "--json"], { folder });
    assert.deepEqual([own.json[0][0].workspace, own.json[0][0].indexed], ["docs", 1]);
    const made = (await json(await running.engine.call("GET", "/workspaces"))).find(
      ({ name }: { name: string }) => name === "docs",
    );
    assert.deepEqual(JSON.parse(made.directories), [inner]);
    assert.equal(JSON.parse(made.toolsConfig).builtin.filesystem.enabled, false);
  });

  it("`index` shows a bar to a person, and clears it", async () => {
    const { out, error } = await cli(running.env, ["index", "notes"], {
      folder,
      typed: Readable.from([]),
    });
    assert.match(error, /Indexing notes: /);
    assert.match(out, /notes: 0 files indexed, 1 unchanged\.\n$/);
    assert.ok(error.endsWith("\r\u001b[K"), JSON.stringify(error));
  });

  it("`index` names what it could not read", async () => {
    const bad = join(folder, "notes", "bad.pdf");
    writeFileSync(bad, "%PDF-1.7 no more");
    const { code, error } = await cli(running.env, ["index", "notes"], { folder });
    assert.equal(code, 0);
    assert.match(error, /\nbad\.pdf: [A-Z].+\.\n/);
    rmSync(bad);
    assert.doesNotMatch((await cli(running.env, ["index", "notes"], { folder })).error, /bad\.pdf/);
  });

  it("a folder that is none, or a workspace that is none, is refused", async () => {
    const missing = await cli(running.env, ["index", "nowhere"], { folder });
    assert.match(missing.error, /nowhere is not a folder\.\n$/);
    const unknown = await cli(running.env, ["search", "x", "--workspace", "nope"], { folder });
    assert.match(unknown.error, /There is no workspace "nope"\. Workspaces: .*"notes"/);
    assert.deepEqual([missing.code, unknown.code], [1, 1]);
  });

  it("`logs` reads the lines of the engine, as text and as JSON", async () => {
    const { out } = await cli(running.env, ["logs"]);
    assert.match(out, /^\d\d:\d\d:\d\d info {2}The engine is listening\. \{"url":/m);
    const { json } = await cli(running.env, ["logs", "--json"]);
    assert.ok(json.some(({ msg }) => msg === "The engine is listening."));
  });

  it("`logs -f` ends with its signal", async () => {
    const stop = new AbortController();
    const onWrite = () => stop.abort();
    const { code } = await cli(running.env, ["logs", "-f"], { signal: stop.signal, onWrite });
    assert.equal(code, 0);
  });

  it("`stop` ends it in order, and then there is none", async () => {
    const ended = running.engine.end("SIGCONT");
    const { code, json } = await cliProcess(running.env, ["stop", "--json"]);
    assert.equal(code, 0);
    assert.deepEqual(json, [{ stopped: running.engine.runtime.pid }]);
    assert.deepEqual(await ended, { code: 0, signal: null });
    assert.equal((await cli(running.env, ["stop"])).code, 1);
  });
});
