// Slow: its streams are long.
import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import {
  createAnsweredClient,
  createTestClient,
  createTestEngine,
} from "../../support/engine/engine.ts";

describe("the raw streams of the client", () => {
  it("give an event with a type as id, event and data", async () => {
    await using test = await createTestEngine();
    const { client } = createTestClient(test);
    const { uuid } = await client.workspaces.create({ name: "W" });
    const after = "an id of no process";
    const changes = client.realtime.streamChanges({ after })[Symbol.asyncIterator]();
    const resync = await changes.next();
    assert.equal(resync.value?.event, "resync");
    await client.workspaces.delete(uuid);
    const { value } = await changes.next();
    assert.equal(value?.event, "workspace.deleted");
    assert.deepEqual(value?.data, { workspaceUuid: uuid });
    await changes.return?.();
  });

  it("give an event without a type as its data, in camelCase", async () => {
    const data = { type: "x", data: { thread_uuid: "t" } };
    const client = createAnsweredClient(() => new Response(`data: ${JSON.stringify(data)}\n\n`));
    const events = await Array.fromAsync(client.realtime.streamEvents());
    assert.deepEqual(events, [{ type: "x", data: { threadUuid: "t" } }]);
  });

  it("end with the reason of their signal", async () => {
    await using test = await createTestEngine();
    const { client } = createTestClient(test);
    const stop = new AbortController();
    const reason = new Error("enough");
    const stream = client.realtime.streamChanges({ after: "x" }, { signal: stop.signal });
    const reading = (async () => {
      for await (const _ of stream) stop.abort(reason);
    })();
    await assert.rejects(reading, reason);
  });

  it("reject where they are refused", async () => {
    const body = { error: "Too many clients." };
    const client = createAnsweredClient(() => Response.json(body, { status: 429 }));
    const reading = Array.fromAsync(client.realtime.streamChanges());
    await assert.rejects(reading, { status: 429, message: body.error });
  });
});

it("bytes come as a Blob of their type", async () => {
  const headers = { "Content-Type": "image/png" };
  const client = createAnsweredClient(() => new Response(new Uint8Array([1, 2]), { headers }));
  const blob = await client.files.preview("w", { rootIndex: 0, path: "a.png" });
  assert.equal(blob.type, "image/png");
  assert.deepEqual([...(await blob.bytes())], [1, 2]);
});

describe("silence of a stream", () => {
  it("of 45 s is a failure, but not while its reader is busy", async () => {
    mock.timers.enable({ apis: ["setInterval"] });
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
    });
    const client = createAnsweredClient(() => new Response(stream));
    const events = client.realtime.streamEvents()[Symbol.asyncIterator]();
    assert.equal((await events.next()).value, 1);
    mock.timers.tick(120_000);
    const next = events.next();
    await new Promise(setImmediate);
    mock.timers.tick(45_000);
    await assert.rejects(next, { status: 0, message: "The engine sent nothing for 45 s." });
    mock.timers.reset();
  });

  it("before any answer is one, too", async () => {
    mock.timers.enable({ apis: ["setInterval"] });
    const client = createAnsweredClient(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    const next = client.realtime.streamEvents()[Symbol.asyncIterator]().next();
    mock.timers.tick(45_000);
    await assert.rejects(next, { status: 0, message: "The engine sent nothing for 45 s." });
    mock.timers.reset();
  });
});
