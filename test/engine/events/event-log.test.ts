import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { EventLog } from "../../../engine/events/event-log.ts";
import { SSE_CHUNK_CHARACTERS, SSE_COMMENT_INTERVAL_MS } from "../../../engine/limits.ts";
import { TestClock } from "../../support/time.ts";

const tick = () => new Promise(setImmediate);

function createLog({ eventsMax = 10, bytesMax = 1_000_000, readersMax = 3 } = {}) {
  const clock = new TestClock();
  const log = new EventLog({ eventsMax, bytesMax, readersMax, behind: "drop", timers: clock });
  const append = (from: number, to = from) => {
    for (let number = from; number <= to; number += 1) log.append(`${number};`);
  };
  return { log, clock, append };
}

/** Reads to the end of a stream, and counts what was lost on the way. */
class Follower {
  readonly chunks: Uint8Array[] = [];
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(stream: ReadableStream<Uint8Array> | undefined) {
    assert.ok(stream, "too many readers");
    this.#reader = stream.getReader();
  }

  /** One chunk; undefined at the end. */
  async read(): Promise<string | undefined> {
    const { value } = await this.#reader.read();
    if (!value) return undefined;
    this.chunks.push(value);
    return new TextDecoder().decode(value);
  }

  async rest(): Promise<string> {
    let text = "";
    for (;;) {
      const chunk = await this.read();
      if (chunk === undefined) return text;
      text += chunk;
    }
  }

  cancel(): Promise<void> {
    return this.#reader.cancel();
  }
}

describe("a reader of an event log", () => {
  it("gets what comes after the event that it has", async () => {
    const { log, append } = createLog();
    append(1, 5);
    assert.equal(log.last, 5);
    const readers = [0, 3, 5].map((after) => new Follower(log.open(after)));
    append(6);
    log.end();
    assert.deepEqual(await Promise.all(readers.map((reader) => reader.rest())), [
      "1;2;3;4;5;6;",
      "4;5;6;",
      "6;",
    ]);
  });

  it("gets the pieces of its first text one by one as it asks, before any event", async () => {
    const { log, append } = createLog();
    const made: number[] = [];
    const pieces = [1, 2, 3].values().map((number) => {
      made.push(number);
      return `piece ${number};`;
    });
    const reader = new Follower(log.open(0, pieces));
    append(1);
    await tick();
    for (const number of [1, 2, 3]) {
      assert.equal(await reader.read(), `piece ${number};`);
      assert.equal(made.length, number);
    }
    assert.equal(await reader.read(), "1;");
  });

  it("can resume where every later event is kept, and nowhere else", async () => {
    const { log, append } = createLog({ eventsMax: 3 });
    assert.deepEqual(
      [-1, 0, 1].filter((after) => log.canResume(after)),
      [0],
    );
    append(1, 7);
    await tick();
    const able = [-1, 0, 3, 4, 5, 7, 8, Number.NaN].filter((after) => log.canResume(after));
    assert.deepEqual(able, [4, 5, 7]);
    log.end();
    assert.equal(await new Follower(log.open(4)).rest(), "5;6;7;");
  });

  it("that waits shares its bytes with all others that wait", async () => {
    const { log, append } = createLog();
    const readers = [new Follower(log.open(0)), new Follower(log.open(0))];
    const reads = readers.map((reader) => reader.read());
    await tick();
    append(1, 50);
    const texts = await Promise.all(reads);
    assert.equal(texts[0]!.split(";").length, 51);
    assert.equal(readers[0]!.chunks[0], readers[1]!.chunks[0]);
  });

  it("gets a long backlog in several chunks", async () => {
    const { log } = createLog({ bytesMax: 100 * SSE_CHUNK_CHARACTERS });
    const text = "x".repeat(SSE_CHUNK_CHARACTERS / 2);
    for (let number = 1; number <= 6; number += 1) log.append(text);
    log.end();
    const reader = new Follower(log.open(0));
    assert.equal((await reader.rest()).length, 6 * text.length);
    assert.equal(reader.chunks.length, 3);
  });

  it("that falls out of the kept events is dropped, whichever bound it is; the others go on", async () => {
    for (const bounds of [{ eventsMax: 5 }, { bytesMax: 10 }]) {
      const { log, append } = createLog(bounds);
      const slow = new Follower(log.open(0));
      const quick = new Follower(log.open(0));
      const reading = quick.read();
      await tick();
      append(1, 6);
      assert.equal(await reading, "1;2;3;4;5;6;");
      assert.equal(log.size, 1);
      assert.equal(await slow.rest(), "");
      await quick.cancel();
    }
  });

  it("one too many is refused until another has gone", async () => {
    const { log } = createLog({ readersMax: 1 });
    const first = new Follower(log.open(0));
    assert.equal(log.open(0), undefined);
    await first.cancel();
    assert.equal(log.size, 0);
    assert.ok(log.open(0));
  });
});

describe("an event log with timers", () => {
  it("sends a comment at each interval, and holds no timer without readers", async () => {
    const { log, clock } = createLog();
    assert.equal(clock.pendingTimers, 0);
    const reader = new Follower(log.open(0));
    for (let round = 0; round < 3; round += 1) {
      const reading = reader.read();
      await tick();
      clock.advance(SSE_COMMENT_INTERVAL_MS);
      assert.equal(await reading, ":\n\n");
    }
    await reader.cancel();
    assert.equal(clock.pendingTimers, 0);
  });

  it("drops a reader that takes nothing of what waits for it between two comments", async () => {
    const { log, clock, append } = createLog();
    const idle = new Follower(log.open(0));
    const stalled = new Follower(log.open(0));
    append(1);
    await tick();
    assert.equal(await idle.read(), "1;");
    clock.advance(SSE_COMMENT_INTERVAL_MS);
    assert.equal(log.size, 2);
    clock.advance(SSE_COMMENT_INTERVAL_MS);
    assert.equal(log.size, 1);
    assert.equal(await stalled.rest(), "");
    await idle.cancel();
  });

  it("keeps a reader that takes pieces of its first text, and drops one that stalls among them", async () => {
    const { log, clock } = createLog();
    const steady = new Follower(log.open(0, ["a;", "b;", "c;"].values()));
    const stalled = new Follower(log.open(0, ["a;", "b;", "c;"].values()));
    assert.equal(await stalled.read(), "a;");
    for (const piece of ["a;", "b;", "c;"]) {
      assert.equal(await steady.read(), piece);
      clock.advance(SSE_COMMENT_INTERVAL_MS);
    }
    assert.equal(log.size, 1);
    assert.equal(await stalled.rest(), "");
    await steady.cancel();
  });
});

describe("the end of an event log", () => {
  it("comes after what is left for each reader, and later readers get both", async () => {
    const { log, append } = createLog();
    const reader = new Follower(log.open(0));
    append(1, 2);
    log.end();
    append(3);
    log.end();
    assert.equal(await reader.rest(), "1;2;");
    assert.equal(await new Follower(log.open(1)).rest(), "2;");
    assert.equal(log.last, 2);
  });

  it("is at once where the log is closed: a stalled reader has the rest as its last chunk", async () => {
    const { log, clock, append } = createLog();
    const stalled = new Follower(log.open(0));
    const waiting = new Follower(log.open(0));
    const reading = waiting.read();
    append(1, 3);
    log.close();
    assert.equal(log.size, 0);
    assert.equal(clock.pendingTimers, 0);
    assert.equal(await reading, "1;2;3;");
    assert.deepEqual([await waiting.rest(), await stalled.rest()], ["", "1;2;3;"]);
  });
});

describe("readers that attach, drop and resume at random", () => {
  it("get every event exactly once, or learn that they cannot resume", async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("append" as const), count: fc.integer({ min: 1, max: 6 }) }),
      fc.record({ do: fc.constantFrom("read" as const, "drop" as const, "tick" as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { log, append } = createLog({ eventsMax: 8, readersMax: 1 });
        let seen: number[] = [];
        let follower: Follower | undefined;
        const take = (text: string | undefined) => {
          const numbers = (text ?? "").split(";").filter(Boolean).map(Number);
          for (const number of numbers) {
            const before = seen.at(-1);
            if (before !== undefined) assert.equal(number, before + 1);
            seen.push(number);
          }
          if (text === undefined) follower = undefined;
        };
        for (const current of steps) {
          if (current.do === "append") append(log.last + 1, log.last + current.count);
          if (current.do === "tick") await tick();
          if (current.do === "drop") await follower?.cancel();
          if (current.do === "drop") follower = undefined;
          if (current.do !== "read") continue;
          const has = seen.at(-1) ?? 0;
          if (!follower && !log.canResume(has)) seen = [log.last];
          follower ??= new Follower(log.open(seen.at(-1) ?? 0));
          if ((seen.at(-1) ?? 0) < log.last) take(await follower.read());
        }
        await follower?.cancel();
        log.end();
        const has = seen.at(-1) ?? 0;
        if (log.canResume(has)) take(await new Follower(log.open(has)).rest());
        assert.ok(!log.canResume(has) || (seen.at(-1) ?? 0) === log.last);
      }),
    );
  });
});
