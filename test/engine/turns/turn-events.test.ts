// Slow: it streams turns of 10,000 deltas.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SSE_CHUNK_CHARACTERS, SSE_COMMENT_INTERVAL_MS } from "../../../engine/limits.ts";
import type { ModelPart } from "../../../engine/models/language-model.ts";
import {
  TEXT_BLOCK_CHARACTERS,
  TURN_EVENTS_ENDED_BYTES_MAX,
  TURN_EVENTS_KEPT_MS,
  TURN_EVENTS_MAX,
  TURN_READERS_MAX,
} from "../../../engine/turns/limits.ts";
import { endedTurnEvents, TurnEvents } from "../../../engine/turns/turn-events.ts";
import type { Turn } from "../../../engine/turns/wire.ts";
import { KIB } from "../../../shared/units.ts";
import { createChatHarness } from "../../support/engine/chat.ts";
import {
  endlessStep,
  endOf,
  eventsOf,
  harnessOf,
  openEvents,
  startTurn,
  textOf,
  turnOf,
} from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";
import { scriptedChat } from "../../support/providers/model.ts";
import { TestClock } from "../../support/time.ts";

/** A step of so many deltas, a few a tick. */
const manyDeltas = (count: number, text = (at: number) => `${at} `) =>
  async function* (): AsyncIterable<ModelPart> {
    for (let at = 0; at < count; at += 1) {
      yield { type: "delta", text: text(at) };
      if (at % 20 === 0) await new Promise(setImmediate);
    }
    yield { type: "end", usage: undefined };
  };

describe("the events of a turn", () => {
  it("are numbered from 1: graph events, tool calls, approvals, and the record last", async () => {
    await using harness = await harnessOf([
      ["Look: ", { call: "read_value", args: { value: 1 } }, { call: "none", args: {} }],
      ["done"],
    ]);
    const turn = await startTurn(harness);
    const events = await eventsOf(harness, turn);
    assert.deepEqual(
      events.map(({ id }) => Number(id)),
      events.map((_, at) => at + 1),
    );
    assert.deepEqual(
      events.map(({ event, data }) => `${event} ${data.node_id ?? data.state ?? ""}`.trim()),
      [
        "run.started",
        "node.started model",
        "model.delta model",
        "node.completed model",
        "node.started tools",
        "tool running",
        "tool completed",
        "tool failed",
        "node.completed tools",
        "node.started model",
        "model.delta model",
        "node.completed model",
        "run.completed",
        "end completed",
      ],
    );
    const { toolCallId, ...tool } = events[6]!.data;
    assert.match(toolCallId, /^call-/);
    assert.deepEqual(tool, {
      toolName: "read_value",
      operation: "read",
      state: "completed",
      durationMs: 0,
    });
    assert.equal(events[2]!.data.thread_uuid, harness.threadUuid);
    assert.equal(textOf(events), "Look: done");
    assert.deepEqual(events.at(-1)!.data, await turnOf(harness.test, turn.uuid));
  });

  it("go on after any id that a reader has", async () => {
    await using harness = await harnessOf([["a", "b", "c"]]);
    const turn = await startTurn(harness);
    const all = await eventsOf(harness, turn);
    for (let after = 0; after <= all.length; after += 1) {
      assert.deepEqual(await eventsOf(harness, turn, `?after=${after}`), all.slice(after));
    }
  });

  it("begin with a snapshot that replaces the text where an id makes no sense", async () => {
    await using harness = await harnessOf([["a", "b", "c"]]);
    const turn = await startTurn(harness);
    const all = await eventsOf(harness, turn);
    for (const after of ["", "x", "-1", "99", "1.5", "9".repeat(30)]) {
      const [snapshot, ...rest] = await eventsOf(harness, turn, `?after=${after}`);
      assert.equal(snapshot!.event, "snapshot", after);
      assert.deepEqual(rest, all.slice(Number(snapshot!.id)));
      assert.equal(textOf([snapshot!, ...rest], "something else"), "abc");
    }
  });

  it("are kept up to 10,000; before them stands a snapshot", async () => {
    const count = TURN_EVENTS_MAX + 500;
    await using harness = await harnessOf([manyDeltas(count)]);
    const turn = await startTurn(harness);
    const text = Array.from({ length: count }, (_, at) => `${at} `).join("");
    await using live = await openEvents(harness, turn);
    const seen = await live.rest();
    assert.equal(seen.at(-1)!.event, "end");
    assert.equal(textOf(seen), text);
    const [snapshot, ...kept] = await eventsOf(harness, turn);
    assert.equal(snapshot!.event, "snapshot");
    assert.equal(snapshot!.data.state, "completed");
    assert.equal(kept.length, TURN_EVENTS_MAX);
    assert.equal(Number(kept[0]!.id), Number(snapshot!.id) + 1);
    assert.equal(textOf([snapshot!, ...kept]), text);
    assert.equal(textOf(await eventsOf(harness, turn, "?after=3"), "ignored"), text);
  });

  it("are read by 16 readers; a further one is refused until one of them leaves", async () => {
    await using harness = await harnessOf([endlessStep("x")]);
    const turn = await startTurn(harness);
    const path = `/turns/${turn.uuid}/events`;
    const readers = await Promise.all(
      Array.from({ length: TURN_READERS_MAX }, () => openEvents(harness, turn)),
    );
    await json(await harness.test.call("GET", path), 429);
    await readers[0]![Symbol.asyncDispose]();
    await (await openEvents(harness, turn))[Symbol.asyncDispose]();
    for (const reader of readers) await reader[Symbol.asyncDispose]();
  });

  it("carry a comment where nothing happens", async () => {
    await using harness = await harnessOf([endlessStep("x")]);
    const turn = await startTurn(harness);
    const response = await harness.test.call("GET", `/turns/${turn.uuid}/events`);
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    let text = "";
    while (!text.includes('"delta":"x"')) text += decoder.decode((await reader.read()).value);
    const next = reader.read();
    await new Promise(setImmediate);
    harness.test.deps.clock.advance(SSE_COMMENT_INTERVAL_MS);
    assert.equal(decoder.decode((await next).value), ":\n\n");
    await reader.cancel();
  });

  it("say when the provider is asked again", async () => {
    const retry = { attempt: 1, afterMs: 500, reason: "The model provider failed (503)." };
    const chat = scriptedChat({
      async *stream(_request, _signal, onRetry) {
        onRetry?.(retry);
        yield { type: "end", usage: undefined };
      },
    });
    await using harness = await createChatHarness({ chat });
    const events = await eventsOf(harness, await startTurn(harness));
    assert.deepEqual(
      events.filter(({ event }) => event === "retry").map(({ data }) => data),
      [retry],
    );
  });

  it("are 404 for an unknown turn", async () => {
    await using harness = await createChatHarness();
    await json(await harness.test.call("GET", "/turns/none/events"), 404);
  });
});

describe("the events of a turn that has ended", () => {
  it("are kept for ten minutes; then they are a snapshot and the end", async () => {
    await using harness = await harnessOf([["the ", "answer"]]);
    const { clock } = harness.test.deps;
    const turn = await startTurn(harness);
    await endOf(harness, turn);
    clock.advance(TURN_EVENTS_KEPT_MS - 1);
    assert.ok((await eventsOf(harness, turn)).length > 2);
    clock.advance(1);
    const record = await turnOf(harness.test, turn.uuid);
    assert.deepEqual(await eventsOf(harness, turn, "?after=3"), [
      { id: "1", event: "snapshot", data: { text: "the answer", state: "completed" } },
      { id: "2", event: "end", data: record },
    ]);
    assert.equal(clock.pendingTimers, 0);
  });

  it("have the partial text of one that did not complete", async () => {
    await using harness = await harnessOf([endlessStep("half")]);
    const { test } = harness;
    const turn = await startTurn(harness);
    await using reader = await openEvents(harness, turn);
    while ((await reader.take(1))[0]!.event !== "model.delta");
    await json(await test.call("POST", `/turns/${turn.uuid}/cancel`), 202);
    test.deps.clock.advance(TURN_EVENTS_KEPT_MS);
    const [snapshot] = await eventsOf(harness, turn);
    assert.deepEqual(snapshot!.data, { text: "half", state: "cancelled" });
  });

  it("take no more memory than a bound: the oldest turns lose theirs first", async () => {
    const text = "x".repeat(1024 * 1024);
    const count = TURN_EVENTS_ENDED_BYTES_MAX / text.length / 2 + 1;
    await using harness = await harnessOf(Array.from({ length: count }, () => [text]));
    const turns = [];
    for (let at = 0; at < count; at += 1) {
      turns.push(await startTurn(harness));
      await endOf(harness, turns.at(-1)!);
    }
    assert.equal((await eventsOf(harness, turns[0]!))[0]!.event, "snapshot");
    assert.equal((await eventsOf(harness, turns.at(-1)!))[0]!.event, "run.started");
    assert.equal(textOf(await eventsOf(harness, turns[0]!)), text);
  });
});

describe("readers that read as fast as they can", () => {
  const text = "\u0001".repeat(512 * KIB);
  const running = () => new TurnEvents(new TestClock(), text);
  const streamed = () => {
    const events = new TurnEvents(new TestClock());
    for (let at = 0; at < text.length; at += KIB) {
      const activity = { thread_uuid: "t", type: "model.delta", node_id: "model" } as const;
      const delta = text.slice(at, at + KIB);
      events.appendActivity({ ...activity, delta }, delta);
    }
    return events;
  };
  const turn = { state: "completed" } as Turn;
  const CASES: [
    what: string,
    pieceBytesMax: number,
    prepare: () => () => ReadableStream<Uint8Array>,
  ][] = [
    [
      "the text of a turn that runs",
      6 * TEXT_BLOCK_CHARACTERS,
      () => {
        const events = running();
        return () => events.open(undefined)!;
      },
    ],
    [
      "the text of a turn of which only the record is left",
      6 * TEXT_BLOCK_CHARACTERS,
      () => () => endedTurnEvents(turn, text),
    ],
    [
      "events that they missed",
      SSE_CHUNK_CHARACTERS,
      () => {
        const events = streamed();
        return () => events.open("0")!;
      },
    ],
  ];
  for (const [what, pieceBytesMax, prepare] of CASES) {
    it(`get a bounded part of ${what} between two turns of the event loop`, async () => {
      const open = prepare();
      // What one turn of the event loop appends is sent at its end, to all readers in one piece.
      await new Promise(setImmediate);
      const readers = Array.from({ length: TURN_READERS_MAX }, () => open().getReader());
      let bytes = 0;
      const read = async (reader: ReadableStreamDefaultReader<Uint8Array>) => {
        for (;;) {
          const { value } = await reader.read();
          if (!value) return;
          bytes += value.length;
        }
      };
      for (const reader of readers) void read(reader);
      const shares: number[] = [];
      while (bytes < TURN_READERS_MAX * 6 * text.length) {
        const before = bytes;
        await new Promise(setImmediate);
        shares.push(bytes - before);
      }
      // Two pieces of each: it is open in which order immediates of one turn run.
      const bytesMax = 2 * TURN_READERS_MAX * pieceBytesMax;
      assert.ok(Math.max(...shares) <= bytesMax, `${Math.max(...shares)} bytes at once`);
      for (const reader of readers) await reader.cancel();
    });
  }
});
