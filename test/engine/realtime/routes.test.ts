// Slow: it indexes a folder.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChatHarness } from "../../support/engine/chat.ts";
import { createTestEngine } from "../../support/engine/engine.ts";
import { createTestFolder, createWorkspaceOver } from "../../support/engine/files.ts";
import { json } from "../../support/http.ts";

describe("GET /stream", () => {
  it("answers with exactly the headers of the specification", async () => {
    await using harness = await createChatHarness();
    const response = await harness.test.call("GET", "/stream");
    assert.equal(response.status, 200);
    assert.deepEqual(Object.fromEntries(response.headers), {
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      connection: "keep-alive",
      "x-accel-buffering": "no",
    });
    await response.body!.cancel();
  });

  it("carries each item as one compact data line of type, timestamp and data, nothing else", async () => {
    await using harness = await createChatHarness();
    const { test, threadUuid } = harness;
    const response = await test.call("GET", "/stream");
    const reader = response.body!.getReader();
    const content = "two\nlines\r\n\u2028 and ä";
    const message = await json(
      await test.call("POST", "/messages", { threadUuid, role: "user", content }),
    );
    const text = new TextDecoder().decode((await reader.read()).value);
    const data = { messageId: message.uuid, threadId: threadUuid, role: "user", content };
    const timestamp = "2026-01-02T03:04:05.000Z";
    const item = JSON.stringify({ type: "message.created", timestamp, data });
    assert.equal(text, `data: ${item}\n\n`);
    await reader.cancel();
  });

  it("needs the bearer", async () => {
    await using harness = await createChatHarness();
    const request = new Request("http://127.0.0.1/api/v1/stream", {
      headers: { Host: "127.0.0.1" },
    });
    assert.equal((await harness.test.engine.fetch(request)).status, 401);
  });

  it("is silent about workspaces, settings and deletes", async () => {
    await using harness = await createChatHarness();
    const { test, workspaceUuid, threadUuid } = harness;
    await test.call("PUT", `/workspaces/${workspaceUuid}`, { name: "x" });
    await test.call("PUT", "/settings", [{ key: "k", value: "v" }]);
    await test.call("PUT", `/threads/${threadUuid}/policy`, {});
    await test.call("DELETE", `/threads/${threadUuid}`);
    await test.call("DELETE", `/workspaces/${workspaceUuid}`);
    assert.deepEqual(test.publishedEvents(), []);
  });
});

describe("GET /stream, besides its events", () => {
  it("is silent about files, models, tools, retrieval and the account", async () => {
    await using test = await createTestEngine();
    await using root = await createTestFolder({ "a.txt": "a" });
    const uuid = await createWorkspaceOver(test, [root.path]);
    const calls: [string, string, unknown, number][] = [
      ["PUT", `/workspaces/${uuid}/files/content?rootIndex=0&path=a.txt`, { content: "b" }, 200],
      ["POST", `/workspaces/${uuid}/files/directory?rootIndex=0&path=d`, undefined, 200],
      ["POST", "/model-configurations", { provider: "p", model: "m" }, 201],
      ["POST", "/tool-registry", { name: "n" }, 201],
      ["POST", `/workspaces/${uuid}/rag/index`, undefined, 200],
      ["POST", `/workspaces/${uuid}/rag/search`, { query: "b" }, 200],
      ["GET", "/account/session", undefined, 200],
      ["POST", "/account/logout", undefined, 200],
    ];
    for (const [method, path, body, status] of calls) {
      assert.equal((await test.call(method, path, body)).status, status, path);
    }
    assert.deepEqual(test.publishedEvents(), []);
  });
});

describe("GET /events without a handshake", () => {
  it("is 426 and names the way out", async () => {
    await using harness = await createChatHarness();
    const response = await harness.test.call("GET", "/events");
    assert.equal(response.headers.get("upgrade"), "websocket");
    assert.match((await json(response, 426)).error, /WebSocket/);
  });
});
