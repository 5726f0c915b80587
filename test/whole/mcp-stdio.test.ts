import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, linkSync, mkdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { MCP_INPUT_BYTES_MAX } from "../../engine/cli/limits.ts";
import { cli } from "../support/engine/cli.ts";
import { writeFiles } from "../support/engine/files.ts";
import {
  type EngineProcess,
  START,
  startEngineProcess,
  temporaryDirectory,
} from "../support/engine/process.ts";
import { json } from "../support/http.ts";
import { MACHINE, recordOutput } from "../support/processes.ts";
import { until } from "../support/time.ts";

const FILES = {
  "guide.md": "# Guide\n\nThe lighthouse keeper stores oil in the cellar.\nSecond line.\n",
  "notes/a.txt": "one\ntwo\nthree\n",
  ".env": "TOKEN=stdio-canary-77\n",
};

/** An official client of `engine mcp`, as an editor has it. */
async function openClient(dataDirectory: string, ...args: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...START, "mcp", "--workspace", "docs", ...args],
    env: { ...MACHINE, HOME: dataDirectory, ENGINE_DATA_DIR: dataDirectory },
    stderr: "ignore",
  });
  const client = new Client({ name: "editor", version: "1" });
  await client.connect(transport);
  const call = async (name: string, input: object = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: { ...input } });
    const [part] = content;
    assert.ok(part?.type === "text");
    return { text: part.text, isError };
  };
  return { client, call, [Symbol.asyncDispose]: () => client.close() };
}

type McpClient = Awaited<ReturnType<typeof openClient>>;

describe("engine mcp", () => {
  const root = realpathSync(temporaryDirectory());
  let engine: EngineProcess;
  let reading: McpClient;
  let writing: McpClient;
  before(async () => {
    writeFiles(root, FILES);
    engine = await startEngineProcess();
    const directories = JSON.stringify([root]);
    const { uuid } = await json(
      await engine.call("POST", "/workspaces", { name: "docs", directories }),
    );
    await json(await engine.call("POST", `/workspaces/${uuid}/rag/index`));
    const thread = await json(
      await engine.call("POST", "/threads", { workspaceUuid: uuid, title: "t" }),
    );
    const message = { threadUuid: thread.uuid, role: "user", content: "Where is the harbour?" };
    await json(await engine.call("POST", "/messages", message));
    const other = await json(await engine.call("POST", "/workspaces", { name: "other" }));
    const far = await json(await engine.call("POST", "/threads", { workspaceUuid: other.uuid }));
    await json(await engine.call("POST", "/messages", { ...message, threadUuid: far.uuid }));
    reading = await openClient(engine.dataDirectory);
    writing = await openClient(engine.dataDirectory, "--write");
  });
  after(async () => {
    await reading[Symbol.asyncDispose]();
    await writing[Symbol.asyncDispose]();
    await engine[Symbol.asyncDispose]();
    // The engine that was started again leaves the directory of the first one.
    rmSync(engine.dataDirectory, { recursive: true });
    rmSync(root, { recursive: true });
  });

  it("offers what reads, and with --write what changes files", async () => {
    const read = ["search", "read_file", "list_folder", "find_files", "search_messages"];
    const names = async (client: Client) =>
      (await client.listTools()).tools.map(({ name }) => name);
    assert.deepEqual(await names(reading.client), read);
    const all = [...read, "create_file", "replace_file", "move"];
    assert.deepEqual(await names(writing.client), all);
  });

  it("searches, reads, lists and finds, and withholds sensitive files", async () => {
    const found = await reading.call("search", { query: "lighthouse oil" });
    assert.match(found.text, /^guide\.md:\d+-\d+ \(root 0, score \d\.\d{3}\)\n.*stores oil/s);
    assert.match((await reading.call("search", { query: "env" })).text, /\.env .*withheld/);
    assert.equal(
      (await reading.call("read_file", { path: "notes/a.txt" })).text,
      FILES["notes/a.txt"],
    );
    const lines = { path: "notes/a.txt", start_line: 2, end_line: 2 };
    assert.equal((await reading.call("read_file", lines)).text, "two");
    const withheld = await reading.call("read_file", { path: ".env" });
    assert.deepEqual([withheld.isError, withheld.text.includes("canary")], [true, false]);
    assert.match((await reading.call("list_folder")).text, /notes\//);
    assert.equal((await reading.call("find_files", { query: "a.t" })).text, "notes/a.txt (root 0)");
    const messages = await reading.call("search_messages", { query: "harbour" });
    assert.equal(messages.text.match(/harbour/g)?.length, 1);
  });

  it("answers bad calls with what is wrong", async () => {
    for (const [name, input, problem] of [
      ["read_file", { path: "../../etc/passwd" }, /path/i],
      ["read_file", { path: "none.txt" }, /not found/i],
      ["read_file", { path: "guide.md", root: 7 }, /root/i],
      ["read_file", { path: 7 }, /path/],
      ["create_file", { path: "guide.md", content: "x" }, /exists/i],
      ["move", { path: ".env", to_folder: "notes" }, /withheld/],
    ] as const) {
      const { text, isError } = await writing.call(name, input);
      assert.equal(isError, true, name);
      assert.match(text, problem);
    }
  });

  it("creates, replaces and moves files under --write", async () => {
    await writing.call("create_file", { path: "new.txt", content: "first" });
    await writing.call("replace_file", { path: "new.txt", content: "second" });
    const moved = await writing.call("move", { path: "new.txt", to_folder: "notes" });
    assert.equal(moved.text, "Moved to notes/new.txt.");
    assert.equal(readFileSync(join(root, "notes/new.txt"), "utf8"), "second");
    rmSync(join(root, "notes/new.txt"));
  });

  it("gives nothing of the engine's own data, where a folder of the workspace holds it", async () => {
    const home = realpathSync(temporaryDirectory());
    const dataDirectory = join(home, "data");
    mkdirSync(dataDirectory, { mode: 0o700 });
    writeFiles(home, { "a.txt": "plain" });
    await using own = await startEngineProcess({ dataDirectory });
    const directories = JSON.stringify([home]);
    await json(await own.call("POST", "/workspaces", { name: "docs", directories }));
    linkSync(join(dataDirectory, "runtime.json"), join(home, "hard.json"));
    await using mcp = await openClient(dataDirectory, "--write");
    const before = readFileSync(join(dataDirectory, "runtime.json"), "utf8");
    const calls: [string, object][] = [
      ["read_file", { path: "data/runtime.json" }],
      ["read_file", { path: "hard.json" }],
      ["list_folder", { path: "data" }],
      ["create_file", { path: "data/new.json", content: "x" }],
      ["replace_file", { path: "data/runtime.json", content: "x" }],
      ["move", { path: "data/runtime.json" }],
    ];
    for (const [name, input] of calls) {
      const { text, isError } = await mcp.call(name, input);
      assert.deepEqual([text.includes(own.runtime.token), isError], [false, true], name);
    }
    assert.equal((await mcp.call("find_files", { query: "runtime" })).text, "No file was found.");
    for (const path of ["data/runtime.json", "hard.json"]) {
      await assert.rejects(mcp.client.readResource({ uri: `workspace-file:///0/${path}` }), path);
    }
    assert.equal((await mcp.call("read_file", { path: "a.txt" })).text, "plain");
    assert.equal(readFileSync(join(dataDirectory, "runtime.json"), "utf8"), before);
    rmSync(home, { recursive: true });
  });

  it("gives files as resources, but no sensitive one", async () => {
    const { resources } = await reading.client.listResources();
    const guide = resources.find(({ name }) => name === "guide.md");
    assert.ok(guide);
    const { contents } = await reading.client.readResource({ uri: guide.uri });
    assert.deepEqual(contents, [{ uri: guide.uri, text: FILES["guide.md"] }]);
    await assert.rejects(
      reading.client.readResource({ uri: "workspace-file:///0/.env" }),
      /withheld/,
    );
    await assert.rejects(reading.client.readResource({ uri: "workspace-file:///0/%zz" }));
  });

  it("goes on over a restart of the engine", async () => {
    await reading.call("list_folder");
    const { dataDirectory } = engine;
    await engine.end("SIGKILL");
    assert.match((await reading.call("list_folder")).text, /is not running|could not|cannot/i);
    engine = await startEngineProcess({ dataDirectory });
    assert.match((await reading.call("list_folder")).text, /guide\.md/);
  });

  it("launches an engine under --launch, and stops it in the end", async () => {
    const dataDirectory = temporaryDirectory();
    {
      await using first = await startEngineProcess({ dataDirectory });
      const directories = JSON.stringify([root]);
      await json(await first.call("POST", "/workspaces", { name: "docs", directories }));
    }
    {
      await using client = await openClient(dataDirectory, "--launch");
      assert.match((await client.call("list_folder")).text, /guide\.md/);
      assert.ok(existsSync(join(dataDirectory, "runtime.json")));
    }
    await until("the end of the engine", () =>
      existsSync(join(dataDirectory, "runtime.json")) ? undefined : true,
    );
    rmSync(dataDirectory, { recursive: true });
  });

  it("ends with 1 where the client writes a line without end, though the client stays", async () => {
    const child = spawn(process.execPath, [...START, "mcp", "--workspace", "docs"], {
      env: { ...MACHINE, HOME: root, ENGINE_DATA_DIR: engine.dataDirectory },
    });
    const written = recordOutput();
    child.stdout.setEncoding("utf8").on("data", written.write);
    child.stderr.setEncoding("utf8").on("data", written.writeError);
    child.stdin.on("error", () => {});
    child.stdin.write("x".repeat(MCP_INPUT_BYTES_MAX + 1));
    const [code] = (await once(child, "close")) as [number | null];
    const { out, error } = written.result(code, []);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(error, /The client wrote a line of more than 4 MiB\.\n$/);
  });

  it("ends with 2 without a workspace, with 1 without an engine or for an unknown one, and prints nothing", async () => {
    const env = { ENGINE_DATA_DIR: engine.dataDirectory };
    for (const [args, variables, expected, sentence] of [
      [["mcp"], env, 2, /--workspace/],
      [["mcp", "--workspace", "none"], env, 1, /no workspace "none"/],
      [
        ["mcp", "--workspace", "docs"],
        { ENGINE_DATA_DIR: join(root, "x") },
        1,
        /The engine is not running/,
      ],
    ] as const) {
      const { code, out, error } = await cli(variables, [...args]);
      assert.deepEqual([code, out], [expected, ""]);
      assert.match(error, sentence);
    }
  });
});
