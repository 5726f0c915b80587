import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EventBus } from "../../../engine/events/bus.ts";
import { EventStreams } from "../../../engine/realtime/event-streams.ts";
import { TestClock } from "../../support/time.ts";

function harness() {
  const events = new EventBus(new TestClock());
  const streams = new EventStreams(events);
  const publish = (...messageIds: string[]) => {
    for (const messageId of messageIds) {
      const data = { messageId, threadId: "t", role: "user" as const, content: "c" };
      events.publish({ type: "message.created", data });
    }
  };
  return { streams, publish };
}

const tick = () => new Promise(setImmediate);
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at));

async function read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string[]> {
  const { value } = await reader.read();
  const text = new TextDecoder().decode(value);
  const items = text.split("\n\n");
  assert.equal(items.pop(), "");
  return items.map((item) => {
    assert.match(item, /^data: \{.*\}$/);
    return JSON.parse(item.slice(6)).data.messageId;
  });
}

describe("an event stream", () => {
  it("brings future events alone, in order", async () => {
    const { streams, publish } = harness();
    publish("0");
    const reader = streams.open()!.getReader();
    publish("1", "2");
    assert.deepEqual(await read(reader), ["1", "2"]);
    publish("3");
    assert.deepEqual(await read(reader), ["3"]);
  });

  it("that joins in the tick of an event does not get earlier events", async () => {
    const { streams, publish } = harness();
    const early = streams.open()!.getReader();
    publish("1");
    const late = streams.open()!.getReader();
    publish("2");
    assert.deepEqual(await read(early), ["1", "2"]);
    assert.deepEqual(await read(late), ["2"]);
  });

  it("whose reader is behind keeps the newest 100 and drops the oldest", async () => {
    const { streams, publish } = harness();
    const reader = streams.open()!.getReader();
    publish(...numbers(1, 100));
    await tick();
    publish(...numbers(101, 150));
    await tick();
    assert.deepEqual(await read(reader), numbers(51, 150));
    publish("151");
    assert.deepEqual(await read(reader), ["151"]);
  });

  it("whose reader is behind by exactly 100 loses nothing", async () => {
    const { streams, publish } = harness();
    const reader = streams.open()!.getReader();
    publish(...numbers(1, 100));
    assert.deepEqual(await read(reader), numbers(1, 100));
  });

  it("whose reader keeps up loses nothing in a burst", async () => {
    const { streams, publish } = harness();
    const stalled = streams.open()!.getReader();
    const reader = streams.open()!.getReader();
    const seen: string[] = [];
    for (let burst = 0; burst < 20; burst += 1) {
      publish(...numbers(burst * 90 + 1, burst * 90 + 90));
      seen.push(...(await read(reader)));
    }
    assert.deepEqual(seen, numbers(1, 1800));
    assert.deepEqual(await read(stalled), numbers(1701, 1800));
  });

  it("whose reader waits gets all of a burst of any size", async () => {
    const { streams, publish } = harness();
    const reader = streams.open()!.getReader();
    const reading = read(reader);
    await tick();
    publish(...numbers(1, 1000));
    assert.deepEqual(await reading, numbers(1, 1000));
  });

  it("that is cancelled has no cost", async () => {
    const { streams, publish } = harness();
    const readers = [streams.open()!.getReader(), streams.open()!.getReader()];
    assert.equal(streams.size, 2);
    publish("1");
    for (const reader of readers) await reader.cancel();
    assert.equal(streams.size, 0);
    await tick();
  });

  it("ends when the engine stops, after all published events", async () => {
    const { streams, publish } = harness();
    const reader = streams.open()!.getReader();
    const reading = reader.read();
    publish("1");
    streams.close();
    assert.match(new TextDecoder().decode((await reading).value), /"messageId":"1"/);
    assert.equal((await reader.read()).done, true);
    assert.equal((await streams.open()!.getReader().read()).done, true);
  });
});
