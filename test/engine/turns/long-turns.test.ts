// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Approvals } from "../../../engine/turns/approvals.ts";
import {
  APPROVAL_LISTED_BYTES_MAX,
  APPROVAL_LISTED_NAMES_MAX,
  HTTP_TURNS_MAX,
  TEXT_BLOCK_CHARACTERS,
  TURN_EVENTS_KEPT_MS,
  TURN_READERS_MAX,
} from "../../../engine/turns/limits.ts";
import { TurnEvents } from "../../../engine/turns/turn-events.ts";
import type { Approval } from "../../../engine/turns/wire.ts";
import { KIB, MIB } from "../../../shared/units.ts";
import { readEvents } from "../../support/engine/events.ts";
import { endOf, harnessOf, openEvents, startTurn, textOf } from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";
import { TestClock } from "../../support/time.ts";

// Six characters each as JSON.
const CONTROLS = "\u0001".repeat(3 * MIB);
const PIECE_BYTES_MAX = 6 * TEXT_BLOCK_CHARACTERS;

/** The chunks of a stream, as long as it gives them. */
async function sizesOf(stream: ReadableStream<Uint8Array>): Promise<number[]> {
  const sizes: number[] = [];
  for await (const chunk of stream) sizes.push(chunk.length);
  return sizes;
}

describe("a long text of a turn", () => {
  it("costs each reader of a snapshot one piece at a time, and one that does not read nothing", async () => {
    const events = new TurnEvents(new TestClock(), CONTROLS);
    const streams = Array.from({ length: TURN_READERS_MAX }, () => events.open(undefined)!);
    const readers = streams.map((stream) => stream.getReader());
    let handedOut = 0;
    for (const reader of readers) {
      for (let piece = 0; piece < 2; piece += 1) {
        const { value } = await reader.read();
        assert.ok(value!.length <= PIECE_BYTES_MAX, `${value!.length} bytes at once`);
        handedOut += value!.length;
      }
    }
    assert.ok(handedOut <= readers.length * 2 * PIECE_BYTES_MAX);
    for (const reader of readers) await reader.cancel();
    const reader = readEvents(events.open(undefined)!);
    events.appendActivity(
      { thread_uuid: "t", type: "model.delta", node_id: "model", delta: "more" },
      "more",
    );
    const [snapshot, delta] = await reader.take(2);
    assert.deepEqual(snapshot!.data, { text: CONTROLS, state: "running" });
    assert.equal(textOf([snapshot!, delta!]), `${CONTROLS}more`);
    await reader[Symbol.asyncDispose]();
  });

  it("is read in pieces, too, where only the record of the turn is left", async () => {
    await using harness = await harnessOf([[CONTROLS]]);
    const turn = await startTurn(harness);
    await endOf(harness, turn);
    harness.test.deps.clock.advance(TURN_EVENTS_KEPT_MS);
    const { body } = await harness.test.call("GET", `/turns/${turn.uuid}/events`);
    const sizes = await sizesOf(body!);
    assert.ok(Math.max(...sizes) <= PIECE_BYTES_MAX, `${Math.max(...sizes)} bytes at once`);
    await using reader = await openEvents(harness, turn);
    const [snapshot, end] = await reader.rest();
    assert.equal(snapshot!.data.text, CONTROLS);
    assert.equal(end!.event, "end");
  });
});

/** Approvals with these arguments that wait. */
function waiting(args: Approval["arguments"], count = 1): Approvals {
  const approvals = new Approvals({
    db: {} as never,
    clock: {} as never,
    changes: { publish() {}, subscribe() {} } as never,
  });
  const { signal } = new AbortController();
  for (let at = 0; at < count; at += 1) {
    const approval: Approval = {
      uuid: `a${at}`,
      turnUuid: `t${at}`,
      threadUuid: "h",
      toolName: "create_value",
      serverName: null,
      operation: "create",
      arguments: args,
      argumentsTruncated: false,
      requestedAt: "2026-01-02T03:04:05.000Z",
      clientKey: null,
      state: "waiting",
    };
    const place = { threadUuid: "h", workspaceUuid: "w" };
    void approvals.wait({ approval, place, isPublic: true, signal, call: undefined });
  }
  return approvals;
}

describe("the list of approvals", () => {
  const NOTICE_BYTES_MAX = KIB;

  it("stays short with as many turns as there may be, each with long arguments", () => {
    const content = "x".repeat(3.5 * MIB);
    const approvals = waiting({ content, path: "notes/plan.md" }, HTTP_TURNS_MAX);
    const listed = approvals.list();
    assert.equal(listed.length, HTTP_TURNS_MAX);
    const bytes = JSON.stringify(listed).length;
    assert.ok(
      bytes <= HTTP_TURNS_MAX * (APPROVAL_LISTED_BYTES_MAX + NOTICE_BYTES_MAX),
      `${bytes} bytes`,
    );
    for (const approval of listed) {
      assert.equal(approval.argumentsTruncated, true);
      assert.equal(approval.arguments.path, "notes/plan.md");
      assert.match(
        String(approval.arguments.content),
        /^x+\n\[Cut: the first \d+ of 3670016 bytes.\]$/,
      );
    }
    assert.deepEqual(approvals.get("a0").arguments, { content, path: "notes/plan.md" });
  });

  const names = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`name${at}`, value]));
  const LONG: [what: string, args: Approval["arguments"], kept: string[]][] = [
    ["an array that is too long", { list: Array(MIB).fill(1), path: "a" }, ["path"]],
    ["a name that is too long", { ["n".repeat(MIB)]: 1, path: "a" }, ["path"]],
    ["escaped characters", { content: "\u0001".repeat(MIB), path: "a" }, ["content", "path"]],
    ["characters of four bytes", { content: "😀".repeat(MIB), path: "a" }, ["content", "path"]],
    [
      "strings without number",
      names(100_000, "x"),
      Object.keys(names(APPROVAL_LISTED_NAMES_MAX, 1)),
    ],
    ["long strings", { a: "x".repeat(MIB), b: "y".repeat(MIB) }, ["a", "b"]],
    [
      "a name of the language",
      { ...JSON.parse('{"__proto__": "x"}'), y: Array(MIB).fill(1) },
      ["__proto__"],
    ],
  ];
  for (const [what, args, kept] of LONG) {
    it(`is short with ${what}`, () => {
      const [approval] = waiting(args).list();
      assert.equal(approval!.argumentsTruncated, true);
      assert.deepEqual(Object.keys(approval!.arguments), kept);
      const bytes = Buffer.byteLength(JSON.stringify(approval));
      assert.ok(bytes <= APPROVAL_LISTED_BYTES_MAX + NOTICE_BYTES_MAX, `${bytes} bytes`);
    });
  }

  it("has short arguments as they are", () => {
    const args = { list: [1, { two: null }], content: "x".repeat(60 * KIB) };
    const [approval] = waiting(args).list();
    assert.deepEqual(approval!.arguments, args);
    assert.equal(approval!.argumentsTruncated, false);
  });

  it("names where they are whole: only while the approval waits", async () => {
    const value = "x".repeat(100 * KIB);
    const call = { call: "create_value", args: { value } };
    await using harness = await harnessOf([[call], ["done"]], { approvalConfig: null });
    const { test } = harness;
    const turn = await startTurn(harness);
    await using reader = await openEvents(harness, turn);
    let shown = await reader.take(1);
    while (shown[0]!.event !== "approval") shown = await reader.take(1);
    const [listed] = await json(await test.call("GET", "/approvals"));
    assert.equal(listed.argumentsTruncated, true);
    const path = `/approvals/${listed.uuid}`;
    const whole = await json(await test.call("GET", path));
    assert.deepEqual(whole, { ...listed, arguments: { value }, argumentsTruncated: false });
    assert.deepEqual(shown[0]!.data, whole);
    await json(await test.call("POST", path, { decision: "approve" }));
    await json(await test.call("GET", path), 404);
    await json(await test.call("GET", "/approvals/none"), 404);
    await endOf(harness, turn);
  });
});
