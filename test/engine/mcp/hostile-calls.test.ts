// Slow: it takes seconds of the processor; the fast run leaves it out.
// What a server may do while one of its tools runs: the turn goes on, and the record says what happened.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createMcpHarness,
  HEADER_CANARY,
  type RpcScript,
  rpcResult,
  startRpcServer,
} from "../../support/engine/mcp.ts";
import { chat, send, toolOutput } from "../../support/engine/turns.ts";

const MIB = 1024 * 1024;
const CALL = [{ call: "mcp_docs_echo", id: "c1", args: {} }];
const said = (value: string): RpcScript => ({
  "tools/call": (request) => rpcResult(request, { content: [{ type: "text", text: value }] }),
});

/** What a call does, and how its record ends. */
const CALLS: Record<string, [script: RpcScript, status: string, text: RegExp]> = {
  "a failure that the tool reports": [
    {
      "tools/call": (request) =>
        rpcResult(request, { content: [{ type: "text", text: "No such page." }], isError: true }),
    },
    "failed",
    /^No such page\.$/,
  ],
  "a result of 50 MB": [said("x".repeat(50 * MIB)), "failed", /more than 4 MiB/],
  "a result of 1 MB": [
    said("x".repeat(MIB)),
    "completed",
    /\[Cut: the text has 1048576 bytes\.\]$/,
  ],
  "the header that the server received": [
    said(`I got Bearer ${HEADER_CANARY} and ${HEADER_CANARY}`),
    "completed",
    /^I got \[redacted\] and \[redacted\]$/,
  ],
  "terminal escapes": [
    said("\u001b[2J\u001b]8;;http://x\u0007link"),
    "completed",
    /^\[2J\]8;;http:\/\/xlink$/,
  ],
  "content of an unknown type": [
    { "tools/call": (request) => rpcResult(request, { content: [{ type: "hologram", data: 1 }] }) },
    "failed",
    /does not follow the Model Context Protocol/,
  ],
  "structured content without an end": [
    {
      "tools/call": ({ id }) => {
        const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
        const result = `{"content":[],"structuredContent":${deep}}`;
        return new Response(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`, {
          headers: { "Content-Type": "application/json" },
        });
      },
    },
    "failed",
    /does not follow the Model Context Protocol/,
  ],
  "100,000 parts that are none": [
    {
      "tools/call": (request) =>
        rpcResult(request, { content: Array.from({ length: 100_000 }, () => 1) }),
    },
    "failed",
    /^The server sent more than 2000 tools or parts at once\.$/,
  ],
  "2,000 parts, and structured content of 100,000 values": [
    {
      "tools/call": (request) => {
        const content = Array.from({ length: 2_000 }, () => ({ type: "text", text: "x" }));
        const rows = Array.from({ length: 100_000 }, (_, at) => at);
        return rpcResult(request, { content, structuredContent: { rows } });
      },
    },
    "completed",
    /^(x\n)+x$/,
  ],
  "no content": [
    { "tools/call": (request) => rpcResult(request, { content: [] }) },
    "completed",
    /^$/,
  ],
  "an audio, a link and bytes": [
    {
      "tools/call": (request) =>
        rpcResult(request, {
          content: [
            { type: "audio", data: "AA==", mimeType: "audio/wav" },
            { type: "resource_link", name: "page", uri: "file:///etc/passwd" },
            { type: "resource", resource: { uri: "x:1", blob: "AA==" } },
            { type: "resource", resource: { uri: "x:2", text: "two" } },
          ],
        }),
    },
    "completed",
    /^\[Audio.*\n\[A link to page: file:\/\/\/etc\/passwd\]\n\[Bytes of x:1.*\ntwo$/,
  ],
  "a connection that is gone": [
    {
      "tools/call": () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.error(new Error("gone")),
          }),
          { headers: { "Content-Type": "application/json" } },
        ),
    },
    "failed",
    /server/,
  ],
};

describe("a call that gives", () => {
  for (const [what, [script, status, text]] of Object.entries(CALLS)) {
    it(what, async () => {
      await using server = await startRpcServer(script);
      await using harness = await createMcpHarness([CALL, ["done"]]);
      await harness.addServer("docs", server.url);
      assert.equal((await chat(harness)).type, "chat.done");
      const [record] = await harness.records();
      assert.equal(record.status, status);
      assert.match(status === "completed" ? record.result : record.error, text);
      assert.ok(
        !JSON.stringify([record, harness.socket.frames, toolOutput(harness.model)]).includes(
          HEADER_CANARY,
        ),
      );
    });
  }

  it("no answer for 60 s", async () => {
    const called = Promise.withResolvers<void>();
    await using server = await startRpcServer({
      "tools/call": () => {
        called.resolve();
        return new Promise(() => {});
      },
    });
    await using harness = await createMcpHarness([CALL, ["done"]]);
    await harness.addServer("docs", server.url);
    send(harness);
    await called.promise;
    await harness.test.deps.clock.advance(60_000);
    assert.equal((await harness.socket.ended("t1")).type, "chat.done");
    assert.match((await harness.records())[0].error, /did not respond within 60 s/);
  });

  it("a tool that is gone meanwhile", async () => {
    let lists = 0;
    await using server = await startRpcServer({
      "tools/list": (request) => {
        lists += 1;
        const tools = lists === 1 ? [{ name: "echo", inputSchema: { type: "object" } }] : [];
        return rpcResult(request, { tools });
      },
    });
    await using harness = await createMcpHarness([CALL, ["done"]]);
    await harness.addServer("docs", server.url);
    await chat(harness);
    assert.match((await harness.records())[0].error, /no longer offers this tool/);
    assert.deepEqual(harness.offered(1), []);
  });
});

/** What a server asks its client for, while a call runs. */
const QUESTIONS: Record<string, object> = {
  "sampling/createMessage": { messages: [], maxTokens: 10 },
  "elicitation/create": {
    message: "Your password?",
    requestedSchema: { type: "object", properties: {} },
  },
  "roots/list": {},
};

describe("a server that asks for more is refused", () => {
  for (const [method, params] of Object.entries(QUESTIONS)) {
    it(method, async () => {
      const refused = Promise.withResolvers<string>();
      await using server = await startRpcServer({
        "tools/call": ({ id }) => {
          const asked = { jsonrpc: "2.0", id: "q1", method, params };
          const body = new ReadableStream<Uint8Array>({
            async start(controller) {
              const write = (data: unknown) =>
                controller.enqueue(
                  new TextEncoder().encode(`event: message\ndata: ${JSON.stringify(data)}\n\n`),
                );
              write(asked);
              const text = await refused.promise;
              write({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } });
              controller.close();
            },
          });
          return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
        },
        // An answer has no method.
        undefined: ({ ...answer }) => {
          refused.resolve(JSON.stringify(answer));
          return new Response(null, { status: 202 });
        },
      });
      await using harness = await createMcpHarness([CALL, ["done"]]);
      await harness.addServer("docs", server.url);
      await chat(harness);
      const [record] = await harness.records();
      assert.match(record.result, /"error":\{"code":-32601/);
    });
  }
});
