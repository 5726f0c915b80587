import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { DeltaStream } from "../../../engine/chat/delta-stream.ts";
import {
  DELTAS_PER_TICK_MAX,
  JOINED_DELTA_CHARACTERS,
  TURN_TEXT_CHARACTERS_MAX,
} from "../../../engine/chat/limits.ts";
import { anyText } from "../../support/arbitraries.ts";

const tick = () => new Promise(setImmediate);

function harness() {
  const sent: string[] = [];
  const reader = { behind: undefined as Promise<void> | undefined };
  const deltas = new DeltaStream({
    emit: (delta) => sent.push(delta),
    caughtUp: () => reader.behind,
  });
  const fallBehind = () => {
    let catchUp = () => {};
    reader.behind = new Promise((resolve) => {
      catchUp = () => {
        reader.behind = undefined;
        resolve();
      };
    });
    return () => catchUp();
  };
  return { sent, deltas, fallBehind };
}

describe("deltas", () => {
  it("are sent in the tick in which they arrive", () => {
    const { sent, deltas } = harness();
    for (const piece of ["a", "b", "c"]) assert.equal(deltas.push(piece), undefined);
    assert.deepEqual(sent, ["a", "b", "c"]);
    assert.equal(deltas.text, "abc");
  });

  it("are joined where one tick brings many, and go out in the next", async () => {
    const { sent, deltas } = harness();
    const pieces = Array.from({ length: 200 }, (_, at) => `${at},`);
    for (const piece of pieces) deltas.push(piece);
    assert.equal(sent.length, DELTAS_PER_TICK_MAX);
    await tick();
    assert.equal(sent.length, DELTAS_PER_TICK_MAX + 1);
    assert.equal(sent.join(""), pieces.join(""));
  });

  it("that keep coming in masses are joined from their second in each tick", async () => {
    const { sent, deltas } = harness();
    for (let at = 0; at < 100; at += 1) deltas.push("x");
    await tick();
    const before = sent.length;
    for (let ticks = 0; ticks < 10; ticks += 1) {
      for (let at = 0; at < 100; at += 1) deltas.push("x");
      await tick();
    }
    await deltas.flush();
    assert.ok(sent.length - before <= 25, `${sent.length - before} deltas`);
    assert.equal(deltas.text.length, 1100);
  });

  it("pause the model where much is held, and continue once it is sent", async () => {
    const { sent, deltas } = harness();
    let pause: Promise<void> | undefined;
    let pushed = 0;
    while (!pause) {
      pause = deltas.push("x".repeat(100));
      pushed += 100;
    }
    await pause;
    assert.equal(sent.join("").length, pushed);
    assert.ok(sent.at(-1)!.length >= JOINED_DELTA_CHARACTERS);
  });

  it("wait for a slow reader, and are joined meanwhile", async () => {
    const { sent, deltas, fallBehind } = harness();
    const catchUp = fallBehind();
    for (const piece of ["a", "b", "c"]) deltas.push(piece);
    await tick();
    await tick();
    assert.deepEqual(sent, []);
    const flushed = deltas.flush();
    await tick();
    assert.deepEqual(sent, []);
    catchUp();
    await flushed;
    assert.deepEqual(sent, ["abc"]);
  });

  it("go out by themselves once the reader has caught up", async () => {
    const { sent, deltas, fallBehind } = harness();
    const catchUp = fallBehind();
    deltas.push("a");
    await tick();
    catchUp();
    await tick();
    await tick();
    assert.deepEqual(sent, ["a"]);
  });

  it("are never cut inside a character, and half ones are made whole at the end", async () => {
    const { sent, deltas } = harness();
    for (const piece of ["a\ud83d", "\ude00", "\ud83d", "b", "\ude00", "c\ud83d"])
      deltas.push(piece);
    await deltas.flush();
    assert.deepEqual(sent, ["a", "😀", "\ufffdb", "\ufffd", "c", "\ufffd"]);
    assert.equal(deltas.text, sent.join(""));
  });

  it("send nothing after they are closed", async () => {
    const { sent, deltas, fallBehind } = harness();
    const catchUp = fallBehind();
    deltas.push("a");
    deltas.close();
    catchUp();
    await tick();
    await tick();
    await deltas.flush();
    assert.deepEqual(sent, []);
  });

  it("end a model that writes without end", () => {
    const { deltas } = harness();
    const piece = "x".repeat(TURN_TEXT_CHARACTERS_MAX / 4);
    assert.throws(() => {
      for (let at = 0; at < 5; at += 1) deltas.push(piece);
    }, /more than a message can hold/);
  });

  it("join to the model's text, for any cuts and any slowness of the reader", async () => {
    const text = anyText({ maxLength: 400 });
    const cuts = fc.array(fc.nat({ max: 40 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, cuts, fc.array(fc.boolean()), async (whole, lengths, ticks) => {
        const { sent, deltas, fallBehind } = harness();
        let at = 0;
        let catchUp: (() => void) | undefined;
        for (const [turn, length] of [...lengths, whole.length].entries()) {
          await deltas.push(whole.slice(at, at + length));
          at += length;
          if (ticks[turn]) await tick();
          if (turn % 7 === 3) catchUp = fallBehind();
          if (turn % 7 === 5) catchUp?.();
        }
        catchUp?.();
        await deltas.flush();
        assert.equal(sent.join(""), whole.toWellFormed());
        assert.ok(sent.every((delta) => delta !== "" && delta.isWellFormed()));
      }),
      { numRuns: 200 },
    );
  });
});
