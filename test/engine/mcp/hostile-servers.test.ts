// Slow: it takes seconds of the processor; the fast run leaves it out.
// What a server may do at its connection and in its list of tools (Design, MCP): one sentence each, never a header.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { McpTest } from "../../../engine/mcp/wire.ts";
import {
  createMcpHarness,
  HEADER_CANARY,
  type McpHarness,
  type RpcScript,
  rpcError,
  rpcResult,
  startRpcServer,
  type WireTool,
} from "../../support/engine/mcp.ts";
import { type FakeServer, freePort, startFakeServer } from "../../support/fake-server.ts";
import { json } from "../../support/http.ts";

const MIB = 1024 * 1024;
const hang = () => new Promise<Response>(() => {});
const many = (count: number, toTool: (at: number) => WireTool) =>
  Array.from({ length: count }, (_, at) => toTool(at));

async function testOf(harness: McpHarness, url: string): Promise<McpTest> {
  const uuid = await harness.addServer("docs", url);
  return json(await harness.test.call("POST", `/tool-registry/${uuid}/test`));
}

/** A script, and the sentence that a person reads. */
const REFUSED: Record<string, [script: RpcScript, sentence: RegExp]> = {
  "asks for other headers": [
    { initialize: () => new Response(`bad ${HEADER_CANARY}`, { status: 401 }) },
    /refused the request \(HTTP 401\)\. Check the headers/,
  ],
  forbids: [{ initialize: () => new Response("no", { status: 403 }) }, /HTTP 403/],
  "is not there": [{ initialize: () => new Response("no", { status: 404 }) }, /HTTP status 404/],
  fails: [{ initialize: () => new Response("no", { status: 500 }) }, /HTTP status 500/],
  "answers with a page": [
    { initialize: () => new Response("<html>", { headers: { "Content-Type": "text/html" } }) },
    /does not follow the Model Context Protocol/,
  ],
  "answers with JSON of another kind": [
    { initialize: () => Response.json({ hello: 1 }) },
    /does not follow the Model Context Protocol/,
  ],
  "answers with bytes that are not UTF-8": [
    {
      initialize: () =>
        new Response(new Uint8Array([0xff, 0xfe]), {
          headers: { "Content-Type": "application/json" },
        }),
    },
    /does not follow the Model Context Protocol/,
  ],
  "speaks an unknown version": [
    {
      initialize: (request) =>
        rpcResult(request, {
          protocolVersion: "1999-01-01",
          capabilities: {},
          serverInfo: { name: "x", version: "1" },
        }),
    },
    /does not follow the Model Context Protocol/,
  ],
  "sends its caller to another host": [
    { initialize: () => Response.redirect("http://localhost:1/mcp", 307) },
    /redirects to another host/,
  ],
  "redirects to itself for ever": [
    { initialize: (_, { url }) => Response.redirect(url, 307) },
    /redirects too often/,
  ],
  "makes a GET of a call": [
    { initialize: (_, { url }) => Response.redirect(url, 303) },
    /HTTP status 303/,
  ],
  "reports with terminal escapes, hidden marks and the header": [
    {
      "tools/list": (request) =>
        rpcError(
          request,
          `\u001b[31mno\u001b[0m\u202e Bearer ${HEADER_CANARY} ${"x".repeat(10_000)}`,
        ),
    },
    /^The server reports: .*\[31mno\[0m .*\[redacted\]/s,
  ],
  "sends a list of 50 MB": [
    {
      "tools/list": (request) =>
        rpcResult(request, {
          tools: [{ name: "a", description: "x".repeat(50 * MIB), inputSchema: {} }],
        }),
    },
    /more than 4 MiB/,
  ],
  "sends events without an end": [
    {
      "tools/list": () => {
        const event = new TextEncoder().encode(`: ${"x".repeat(65_536)}\n\n`);
        const body = new ReadableStream({ pull: (controller) => controller.enqueue(event) });
        return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
      },
    },
    /more than 4 MiB/,
  ],
  "sends 60,000 tools": [
    {
      "tools/list": (request) =>
        rpcResult(request, { tools: many(60_000, (at) => ({ name: `t${at}`, inputSchema: {} })) }),
    },
    /^The server sent more than 2000 tools or parts at once\.$/,
  ],
  "has a schema of 100,000 properties": [
    {
      "tools/list": (request) => {
        const properties = Array.from({ length: 100_000 }, () => ({ type: "string" }));
        const inputSchema = { type: "object", properties: { ...properties } };
        return rpcResult(request, { tools: [{ name: "a", inputSchema }] });
      },
    },
    /^The server sent more than 50000 values at once\.$/,
  ],
  "has a schema that is not an object": [
    { "tools/list": (request) => rpcResult(request, { tools: [{ name: "a", inputSchema: "x" }] }) },
    /does not follow the Model Context Protocol/,
  ],
  "has tools that are not a list": [
    { "tools/list": (request) => rpcResult(request, { tools: 7 }) },
    /does not follow the Model Context Protocol/,
  ],
};

describe("a server that cannot be used is a result of its test", () => {
  for (const [what, [script, sentence]] of Object.entries(REFUSED)) {
    it(`one that ${what}`, async () => {
      await using server = await startRpcServer(script);
      await using harness = await createMcpHarness([]);
      const tested = await testOf(harness, server.url);
      assert.equal(tested.ok, false);
      assert.match(tested.error ?? "", sentence);
      assert.ok(!JSON.stringify(tested).includes(HEADER_CANARY));
      assert.doesNotMatch(tested.error ?? "", /[\u001b\u202e]/);
      assert.ok((tested.error ?? "").length < 1_000);
    });
  }

  for (const method of ["initialize", "tools/list"]) {
    it(`one that never answers ${method} has 10 s`, async () => {
      const asked = Promise.withResolvers<void>();
      await using server = await startRpcServer({
        [method]: () => {
          asked.resolve();
          return hang();
        },
      });
      await using harness = await createMcpHarness([]);
      const testing = testOf(harness, server.url);
      await asked.promise;
      await harness.test.deps.clock.advance(10_000);
      assert.match((await testing).error ?? "", /did not respond within 10 s/);
    });
  }

  for (const method of ["ping", "sampling/createMessage"]) {
    it(`one that asks for ${method} again and again gets 100 answers`, async () => {
      let answers = 0;
      await using server = await startRpcServer({
        GET: () => {
          const asked = (id: number) =>
            `data: ${JSON.stringify({ jsonrpc: "2.0", id, method, params: {} })}\n\n`;
          const body = Array.from({ length: 1_000 }, (_, id) => asked(id)).join("");
          return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
        },
        "tools/list": hang,
        // An answer has no method.
        undefined: () => {
          answers += 1;
          return new Response(null, { status: 202 });
        },
      });
      await using harness = await createMcpHarness([]);
      const tested = await testOf(harness, server.url);
      assert.equal(tested.error, "The server asked the engine for more than 100 answers.");
      assert.ok(answers <= 100, `${answers} answers`);
    });
  }

  it("one that is not there, and one at a port that fetch does not use", async () => {
    await using harness = await createMcpHarness([]);
    for (const port of [await freePort(), 9]) {
      const { error } = await testOf(harness, `http://127.0.0.1:${port}`);
      assert.match(error ?? "", /cannot be reached/);
    }
  });
});

/** A list of tools, and the names of those that are taken. */
const LISTS: Record<string, [tools: WireTool[], taken: string[] | number]> = {
  "1,000 tools": [many(1_000, (at) => ({ name: `t${at}` })), 128],
  "one name twice": [[{ name: "a" }, { name: "a", description: "b" }], ["a"]],
  "a schema of 20 KB": [
    [{ name: "a", inputSchema: { type: "object", title: "x".repeat(20_000) } }, { name: "b" }],
    ["b"],
  ],
  "a name with a terminal escape": [[{ name: "a\u001b[2J" }, { name: "b" }], ["b"]],
  "a name of 10,000 characters": [[{ name: "a".repeat(10_000) }, { name: "b" }], ["b"]],
  "an empty name": [[{ name: "" }, { name: "b" }], ["b"]],
  "schemas of 1 MB together": [
    many(100, (at) => ({
      name: `t${at}`,
      inputSchema: { type: "object", title: "x".repeat(10_000) },
    })),
    26,
  ],
};

describe("of a list only what is within the bounds is taken", () => {
  for (const [what, [tools, taken]] of Object.entries(LISTS)) {
    it(what, async () => {
      await using server = await startRpcServer({}, tools);
      await using harness = await createMcpHarness([]);
      const tested = await testOf(harness, server.url);
      assert.equal(tested.ok, true, tested.error ?? "");
      const names = tested.tools.map(({ serverName }) => serverName);
      if (typeof taken === "number") assert.equal(names.length, taken);
      else assert.deepEqual(names, taken);
      const [listed] = await json(
        await harness.test.call("GET", `/workspaces/${harness.workspaceUuid}/mcp-tools`),
      );
      assert.match(listed.problem, /left out/);
    });
  }

  it("a description of 1 MB is cut to 2 KiB, without escapes", async () => {
    const description = `\u001b]0;pwned\u0007${"x".repeat(MIB)}`;
    await using server = await startRpcServer({}, [{ name: "a", description }]);
    await using harness = await createMcpHarness([]);
    const [tool] = (await testOf(harness, server.url)).tools;
    assert.match(tool?.description ?? "", /^\]0;pwnedx+\n\[Cut: the text has \d+ bytes\.\]$/);
  });

  it("pages that never end stop at the 128th tool, empty ones at the 16th page", async () => {
    for (const page of [[{ name: "t", inputSchema: { type: "object" } }], []]) {
      let pages = 0;
      await using server = await startRpcServer({
        "tools/list": (request) => {
          pages += 1;
          const tools = page.map((tool) => ({ ...tool, name: `t${pages}` }));
          return rpcResult(request, { tools, nextCursor: String(pages) });
        },
      });
      await using harness = await createMcpHarness([]);
      assert.equal((await testOf(harness, server.url)).ok, true);
      assert.equal(pages, 16);
    }
  });
});

it("a redirect to another port of the same host is followed without the sealed headers", async () => {
  await using target = await startRpcServer({});
  await using door: FakeServer = await startFakeServer(
    () => async () => Response.redirect(`${target.url}/mcp`, 307),
  );
  await using harness = await createMcpHarness([]);
  const tested = await testOf(harness, door.url);
  assert.equal(tested.ok, true, tested.error ?? "");
  for (const { headers } of door.takeRequests()) {
    assert.equal(headers.get("authorization"), `Bearer ${HEADER_CANARY}`);
  }
  const reached = target.takeRequests();
  assert.ok(reached.length > 0);
  for (const { headers } of reached) assert.equal(headers.get("authorization"), null);
});
