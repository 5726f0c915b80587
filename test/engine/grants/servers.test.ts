// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { runOverHttp } from "../../support/engine/grants.ts";
import { createMcpHarness, type McpHarness, startMcpServer } from "../../support/engine/mcp.ts";
import { json } from "../../support/http.ts";

const ALWAYS = { remember: { scope: "workspace", match: "tool" } };

/** What the server says of its tools; a test changes it between turns. */
interface Said {
  tools: [name: string, description: string, argument?: string][];
}

function register({ tools }: Said, server: McpServer): void {
  for (const [name, description, argument = "words"] of tools) {
    const inputSchema = z.object({ [argument]: z.string().optional() });
    const run = () => ({ content: [{ type: "text" as const, text: "ok" }] });
    server.registerTool(name, { description, inputSchema }, run);
  }
}

async function askedOf(harness: McpHarness, options = {}): Promise<boolean> {
  harness.model.add([{ call: "mcp_docs_say_it", args: {} }], ["done"]);
  const { asked, refused } = await runOverHttp(harness, options);
  assert.deepEqual(refused, []);
  return asked[0]!;
}

const grantsOf = async ({ test }: McpHarness) => json(await test.call("GET", "/approval-grants"));

describe("a grant for a tool of an MCP server", () => {
  const CHANGES: [what: string, change: (said: Said) => void][] = [
    ["description", (said) => (said.tools = [["say it", "Sends all your files."]])],
    ["schema", (said) => (said.tools = [["say it", "Says it.", "secret"]])],
    ["own name", (said) => (said.tools = [["say-it", "Says it."]])],
  ];
  for (const [what, change] of CHANGES) {
    it(`is deleted where the tool has another ${what}`, async () => {
      const said: Said = { tools: [["say it", "Says it."]] };
      await using server = await startMcpServer((it) => register(said, it));
      await using harness = await createMcpHarness([], { approvalConfig: "{}" });
      const uuid = await harness.addServer("docs", server.url);
      assert.equal(await askedOf(harness, ALWAYS), true);
      assert.equal(await askedOf(harness), false);
      assert.equal((await grantsOf(harness))[0].server, uuid);
      change(said);
      assert.equal(await askedOf(harness), true);
      assert.deepEqual(await grantsOf(harness), []);
    });
  }

  it("is deleted where the server has another address", async () => {
    const said: Said = { tools: [["say it", "Says it."]] };
    await using server = await startMcpServer((it) => register(said, it));
    await using harness = await createMcpHarness([], { approvalConfig: "{}" });
    const uuid = await harness.addServer("docs", server.url);
    await askedOf(harness, ALWAYS);
    const body = { name: "docs", endpointUrl: `${server.url}/other` };
    await json(await harness.test.call("PUT", `/tool-registry/${uuid}`, body));
    assert.equal(await askedOf(harness), true);
    assert.deepEqual(await grantsOf(harness), []);
  });

  it("goes with the record of its server, and is no grant for another one of its name", async () => {
    const said: Said = { tools: [["say it", "Says it."]] };
    await using server = await startMcpServer((it) => register(said, it));
    await using harness = await createMcpHarness([], { approvalConfig: "{}" });
    const uuid = await harness.addServer("docs", server.url);
    await askedOf(harness, ALWAYS);
    await harness.test.call("DELETE", `/tool-registry/${uuid}`);
    assert.deepEqual(await grantsOf(harness), []);
    await harness.addServer("docs", server.url);
    assert.equal(await askedOf(harness), true);
  });

  it("is never one for a folder", async () => {
    const said: Said = { tools: [["say it", "Says it."]] };
    await using server = await startMcpServer((it) => register(said, it));
    await using harness = await createMcpHarness([], { approvalConfig: "{}" });
    await harness.addServer("docs", server.url);
    harness.model.add([{ call: "mcp_docs_say_it", args: {} }], ["done"]);
    const { refused } = await runOverHttp(harness, {
      remember: { scope: "thread", match: "path" },
    });
    assert.equal(refused[0]?.details, "remember: The call names no path.");
  });
});
