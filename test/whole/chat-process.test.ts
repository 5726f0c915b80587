import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startEngineProcess } from "../support/engine/process.ts";
import { openSocket } from "../support/engine/sockets.ts";
import { json } from "../support/http.ts";

describe("the engine's own process", () => {
  it("holds a conversation, and closes its sockets with 1001 when it stops", async () => {
    await using engine = await startEngineProcess();
    const workspace = await json(await engine.call("POST", "/workspaces", { name: "w" }));
    const headers = { Authorization: `Bearer ${engine.runtime.token}` };
    const stream = await fetch(`${engine.baseUrl}/stream`, { headers });
    const [sender, listener] = [0, 1].map(() => openSocket(engine.runtime.port, { headers }));
    assert.ok(sender && listener);
    await Promise.all(
      [sender, listener].map(({ raw }) => new Promise((resolve) => raw.once("open", resolve))),
    );
    listener.say({ type: "client.hello", data: {} });
    await listener.until(({ type }) => type === "client.hello.ack");
    const data = { content: "Is anybody there?", workspace_uuid: workspace.uuid };
    sender.say({ type: "chat.send", id: "t", data });
    const done = await sender.until(({ type }) => type === "chat.done");
    await listener.until(({ data }) => data.role === "assistant");
    const path = `/threads/${done.data.thread_uuid}/messages`;
    const messages = await json(await engine.call("GET", path));
    assert.deepEqual(
      messages.map(({ role, content }: { role: string; content: string }) => [role, content]),
      [
        ["user", "Is anybody there?"],
        ["assistant", "Is anybody there?"],
      ],
    );
    const ended = engine.end("SIGTERM");
    assert.equal((await sender.closed).code, 1001);
    assert.equal((await listener.closed).code, 1001);
    assert.match(await stream.text(), /"type":"run\.completed"/);
    assert.deepEqual(await ended, { code: 0, signal: null });
    assert.ok(!engine.stderr().includes(engine.runtime.token));
  });
});
