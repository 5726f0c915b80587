import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createParser } from "eventsource-parser";
import fc from "fast-check";
import {
  readServerSentEvents,
  type ServerSentEvent,
} from "../../../engine/client/server-sent-events.ts";

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function read(text: string, cuts: readonly number[] = []): Promise<ServerSentEvent[]> {
  const bytes = new TextEncoder().encode(text);
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  const chunks = edges.slice(1).map((edge, at) => bytes.slice(edges[at], edge));
  return Array.fromAsync(readServerSentEvents(streamOf(chunks)));
}

/** What another parser reads. */
function readByPeer(text: string): ServerSentEvent[] {
  const found: ServerSentEvent[] = [];
  let id = "";
  const parser = createParser({
    onEvent: (event) => {
      id = event.id ?? id;
      found.push({ id, event: event.event ?? "", data: event.data });
    },
  });
  parser.feed(text);
  return found;
}

describe("server-sent events", () => {
  it("have an id, a type and their data", async () => {
    assert.deepEqual(await read(': comment\n\nid: 7\nevent: tool\ndata: {"a":1}\n\ndata: x\n\n'), [
      { id: "7", event: "tool", data: '{"a":1}' },
      { id: "7", event: "", data: "x" },
    ]);
  });

  it("with an empty data line are events, without one they are none", async () => {
    assert.deepEqual(await read("event: resync\ndata:\n\nevent: lost\n\n"), [
      { id: "", event: "resync", data: "" },
    ]);
  });

  it("are searched for line ends once, however many chunks one of them has", async (t) => {
    const chunk = new TextEncoder().encode("x".repeat(1_000));
    const line = [new TextEncoder().encode("data: "), ...Array.from({ length: 500 }, () => chunk)];
    const stream = streamOf([...line, new TextEncoder().encode("\n\n")]);
    const split = t.mock.method(String.prototype, "split");
    const [event] = await Array.fromAsync(readServerSentEvents(stream));
    const searched = split.mock.calls.reduce((sum, call) => sum + String(call.this).length, 0);
    split.mock.restore();
    assert.equal(event?.data.length, 500_000);
    assert.ok(searched >= 500_000 && searched < 1_000_000, `${searched} characters`);
  });

  it("are the same wherever the stream is cut", async () => {
    const text = "id: ü1\r\ndata: a\r\ndata: 本\r\n\r\nevent: e\rdata: b\r\r: c\n\ndata:c\n\n";
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), async (cuts) => {
        assert.deepEqual(await read(text, cuts), await read(text));
      }),
    );
  });

  it("are those that another parser finds", async () => {
    const field = fc.constantFrom("data", "event", "id", "retry", "other", "");
    const value = fc.constantFrom("", " ", "a", " a", "  a", "a:b", "{}");
    const line = fc
      .tuple(field, fc.constantFrom(":", ""), value)
      .map(([name, colon, text]) => (colon ? `${name}:${text}` : name));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(line, fc.constant("")), { maxLength: 20 }),
        async (lines) => {
          const text = `${lines.join("\n")}\n\n`;
          const idOf = ({ event, data }: ServerSentEvent) => ({ event, data });
          assert.deepEqual((await read(text)).map(idOf), readByPeer(text).map(idOf));
        },
      ),
    );
  });

  it("cancel their stream when the reader leaves", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode("data: x\n\n")),
      cancel: () => resolve(),
    });
    for await (const { data } of readServerSentEvents(stream)) {
      assert.equal(data, "x");
      break;
    }
    await promise;
  });
});
