import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startEngineProcess } from "../support/engine/process.ts";
import { json } from "../support/http.ts";
import { bashOf, runBash, snippetsOf } from "./snippets.ts";

describe("the pieces of CLIENTS.md", () => {
  it("run as they are written: a turn by curl, its events by fetch, approvals, an error", async () => {
    await using engine = await startEngineProcess();
    const env = { BASE: engine.baseUrl, TOKEN: engine.runtime.token };
    const printed = await runBash(bashOf("CLIENTS.md", "turns"), env);
    const events = [...printed.matchAll(/^event: (.*)$/gm)].map(([, event]) => event);
    assert.equal(events[0], "run.started");
    assert.equal(events.at(-1), "end");
    assert.match(printed, /^text: Hello over HTTP \(completed\)$/m);
    assert.match(printed, /^Hello over a socket \(done\)$/m);
    assert.match(printed, /^\[\]$/m);
    assert.match(printed, /"relativePath":"plan\.md"/);
    assert.match(printed, /^\{"content":"The zeppelin leaves at noon\."\}$/m);
    assert.match(printed, /"path":"plan\.md".*The zeppelin leaves at noon\./);
    assert.match(printed, /"threadTitle":"What leaves when\?"/);
    assert.match(printed, /^\{"groups":\[\{"key":"echo"/m);
    const error = JSON.parse(/^\{"error".*$/m.exec(printed)?.[0] ?? "{}");
    assert.match(error.details, /content/);
  });

  it("name tools of MCP servers as a workspace stores them", async () => {
    await using engine = await startEngineProcess();
    const [text = ""] = snippetsOf("CLIENTS.md", "json tools");
    const input = { name: "Tools", toolsConfig: JSON.stringify(JSON.parse(text)) };
    const { toolsConfig } = await json(await engine.call("POST", "/workspaces", input));
    assert.deepEqual(JSON.parse(toolsConfig), JSON.parse(text));
  });
});

it("the commands of docs/openai.md make keys, and a key reaches its workspace", async () => {
  await using engine = await startEngineProcess();
  await engine.call("POST", "/workspaces", { name: "Notes" });
  const input = { name: "Here", scopes: ["workspaces"] };
  const { key } = await json(await engine.call("POST", "/client-keys", input), 201);
  const script = bashOf("docs/openai.md", "openai");
  const origin = "http://127.0.0.1:7717";
  assert.ok(script.includes(`${origin}/openai/v1/`));
  const env = { ENGINE_DATA_DIR: engine.dataDirectory, KEY: key };
  const printed = await runBash(script.replaceAll(origin, new URL(engine.baseUrl).origin), env);
  assert.match(printed, /"content":"How do I make a backup\?"/);
});
