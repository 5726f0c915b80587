import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import { createClient } from "../../../../engine/client/client.ts";

const TURN = { uuid: "t", threadUuid: "h", state: "completed", error: null, partialText: null };
const END = `id: 2\nevent: end\ndata: ${JSON.stringify(TURN)}\n\n`;
const LATE = 'id: 3\nevent: model.delta\ndata: {"delta":"late"}\n\n';
const INPUT = { threadUuid: "h", content: "go" };

/** A client of an engine whose turn has ended, but not the stream of its events. */
function openEnded() {
  const signals: (AbortSignal | null | undefined)[] = [];
  const cancelled = mock.fn();
  const opened = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  const client = createClient({
    baseUrl: "http://127.0.0.1:7717",
    token: "t",
    fetch: async (_, { signal, method } = {}) => {
      signals.push(signal);
      if (method === "POST") return Response.json(TURN, { status: 202 });
      const body = new ReadableStream<Uint8Array>({ start: opened.resolve, cancel: cancelled });
      return new Response(body);
    },
  });
  const say = async (text: string) =>
    (await opened.promise).enqueue(new TextEncoder().encode(text));
  return { client, signals, cancelled, say };
}

describe("the stream of a turn that has ended", () => {
  it("is closed, and nothing that follows is read", async () => {
    const { client, signals, cancelled, say } = openEnded();
    const turn = client.chat(INPUT);
    await say(END + LATE);
    const events = await Array.fromAsync(turn);
    assert.equal((await turn).turnUuid, "t");
    assert.deepEqual(
      events.map(({ type }) => type),
      ["begin", "end"],
    );
    assert.deepEqual(await Array.fromAsync(turn), events);
    assert.equal(cancelled.mock.callCount(), 1);
    assert.equal(signals.length, 2, "nothing is opened again");
  });
});

it("each request has a signal of its own, as `fetch` may keep what it adds to one", async () => {
  const { client, signals } = openEnded();
  for (const content of ["a", "b"]) await client.operations.startThreadTurn("h", { content });
  assert.notEqual(signals[0], signals[1]);
  await client[Symbol.asyncDispose]();
  assert.deepEqual(
    signals.map((signal) => signal?.aborted),
    [true, true],
  );
});
