// Slow: it reaches many MCP servers.
import assert from "node:assert/strict";
import { it } from "node:test";
import type { McpServerTools } from "../../../engine/mcp/wire.ts";
import { createMcpHarness, startRpcPair, startRpcServer } from "../../support/engine/mcp.ts";
import { chat } from "../../support/engine/turns.ts";
import { empty, json } from "../../support/http.ts";

it("mcp-tools lists every server by alias or name: ready, off or failed", async () => {
  await using server = await startRpcServer({}, [
    { name: "echo", description: "Says it." },
    { name: "hide" },
  ]);
  await using harness = await createMcpHarness([]);
  const { test, workspaceUuid } = harness;
  const ready = await harness.addServer("b", server.url, {}, { tools: { hide: false } });
  const off = await harness.addServer("a", server.url, {}, { enabled: false });
  const failed = await harness.addServer("c", "http://127.0.0.1:9");
  const idle = await harness.addServer("d", server.url, { status: "disabled" });
  const bare = await harness.addServer("e", server.url, { endpointUrl: null });
  await test.call("POST", "/tool-registry", { name: "script" });
  const tool = (name: string, description: string, enabled: boolean) => ({
    name: `mcp_b_${name}`,
    serverName: name,
    description,
    enabled,
  });
  const listed = await json(await test.call("GET", `/workspaces/${workspaceUuid}/mcp-tools`));
  assert.deepEqual(listed, [
    { toolUuid: off, name: "a", state: "off", problem: null, tools: [] },
    {
      toolUuid: ready,
      name: "b",
      state: "ready",
      problem: null,
      tools: [tool("echo", "Says it.", true), tool("hide", "", false)],
    },
    {
      toolUuid: failed,
      name: "c",
      state: "failed",
      problem: "The server cannot be reached.",
      tools: [],
    },
    {
      toolUuid: idle,
      name: "d",
      state: "off",
      problem: "The status of the tool is not `active`.",
      tools: [],
    },
    {
      toolUuid: bare,
      name: "e",
      state: "failed",
      problem: "The tool has no `endpointUrl`. Set it to the address of the server.",
      tools: [],
    },
  ]);
});

it("equal names are numbered in the order of the list, whichever server answers first", async () => {
  await using pair = await startRpcPair();
  await using harness = await createMcpHarness([]);
  const first = await harness.addServer("docs", pair.first.url);
  const second = await harness.addServer("docs", pair.second.url);
  const listed = await json(
    await harness.test.call("GET", `/workspaces/${harness.workspaceUuid}/mcp-tools`),
  );
  assert.deepEqual(
    listed.map((it: McpServerTools) => [it.toolUuid, it.tools[0]?.name]),
    [
      [first, "mcp_docs_echo"],
      [second, "mcp_docs_echo_2"],
    ],
  );
});

it("equal names are numbered in the order of the list in a turn, too", async () => {
  await using pair = await startRpcPair();
  await using harness = await createMcpHarness([[{ call: "mcp_docs_echo", args: {} }], ["done"]]);
  await harness.addServer("docs", pair.first.url);
  await harness.addServer("docs", pair.second.url);
  await chat(harness);
  assert.deepEqual(harness.offered(), ["mcp_docs_echo", "mcp_docs_echo_2"]);
  assert.equal((await harness.records())[0].result, "first");
});

it("of more than 16 servers that are on, the first 16 are asked", async () => {
  await using server = await startRpcServer({});
  await using harness = await createMcpHarness([]);
  for (let at = 10; at < 28; at += 1) await harness.addServer(`s${at}`, server.url);
  const listed = await json(
    await harness.test.call("GET", `/workspaces/${harness.workspaceUuid}/mcp-tools`),
  );
  const states = listed.map(({ state }: { state: string }) => state);
  assert.deepEqual(states, [...Array(16).fill("ready"), "failed", "failed"]);
  assert.match(listed.at(-1).problem, /Only 16 servers/);
});

it("an unknown workspace is 404, a malformed toolsConfig 400", async () => {
  await using harness = await createMcpHarness([]);
  const { test } = harness;
  await json(await test.call("GET", "/workspaces/none/mcp-tools"), 404);
  const { uuid } = await json(
    await test.call("POST", "/workspaces", { name: "w", toolsConfig: "{" }),
  );
  const refused = await json(await test.call("GET", `/workspaces/${uuid}/mcp-tools`), 400);
  assert.match(refused.error, /toolsConfig of the workspace/);
});

it("a test of a tool that is no MCP server is a 400, of none an empty 404", async () => {
  await using harness = await createMcpHarness([]);
  const { test } = harness;
  const { uuid } = await json(await test.call("POST", "/tool-registry", { name: "x" }), 201);
  const refused = await json(await test.call("POST", `/tool-registry/${uuid}/test`), 400);
  assert.match(refused.error, /toolType/);
  await empty(await test.call("POST", "/tool-registry/none/test"), 404);
});
