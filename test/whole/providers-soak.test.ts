// In a process of its own: it looks at memory and handles.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { json } from "../support/http.ts";
import { answerChunks } from "../support/providers/server.ts";
import { PROVIDER_WIRES } from "../support/providers/wires.ts";
import { repeats, showProgress } from "../support/repeats.ts";
import { type ProviderTurns, startProviderTurns } from "./programs/provider-turns.ts";

const WARM_TURNS = repeats({ once: 20, long: 200 });
const TURNS = repeats({ once: 20, long: 2_000 });
const TURNS_A_THREAD = repeats({ once: 10, long: 50 });
const GROWTH_MIB_MAX = repeats({ once: 3, long: 8 });

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const wire = PROVIDER_WIRES[0]!;
const CALL = { id: "c", name: "get_current_time", fragments: ["{}"] };
const ASKS = answerChunks(
  wire.contentType,
  wire.chunks([{ text: "Let me see. " }, { call: CALL }]),
);
const ANSWERS = answerChunks(wire.contentType, wire.chunks([{ text: "It is late." }]));

async function runTurns(turns: ProviderTurns, count: number): Promise<void> {
  const { test } = turns.live;
  const path = `/threads/${turns.threadUuid}`;
  const { workspaceUuid } = await json(await test.call("GET", path));
  for (let at = 0; at < count; at += TURNS_A_THREAD) {
    const thread = await json(await test.call("POST", "/threads", { workspaceUuid }));
    for (let turn = 0; turn < TURNS_A_THREAD; turn += 1) {
      turns.server.script(ASKS, ANSWERS);
      const { terminal } = await turns.turn("What time is it?", { thread_uuid: thread.uuid });
      assert.equal(terminal.type, "chat.done", JSON.stringify(terminal));
      turns.socket.frames.length = 0;
      turns.server.exchanges.length = 0;
      test.publishedEvents();
    }
    await test.call("DELETE", `/threads/${thread.uuid}`);
    showProgress("turns", at + TURNS_A_THREAD, count);
  }
}

async function heapMib(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    await setImmediate();
    collect();
  }
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

/** What keeps a process from ending, counted by kind. */
function handles(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

describe("Turn after turn with tools", () => {
  it("leaves memory, timers and handles where they were", async (test) => {
    await using turns = await startProviderTurns(wire);
    await runTurns(turns, WARM_TURNS);
    const { clock } = turns.live.test.deps;
    const [memoryBefore, handlesBefore] = [await heapMib(), handles()];
    const timersBefore = clock.pendingTimers;
    await runTurns(turns, TURNS);
    const growthMib = (await heapMib()) - memoryBefore;
    test.diagnostic(`the heap grew by ${growthMib.toFixed(1)} MiB`);
    assert.ok(growthMib < GROWTH_MIB_MAX, `the heap grew by ${growthMib.toFixed(1)} MiB`);
    assert.equal(clock.pendingTimers, timersBefore);
    for (const [kind, count] of Object.entries(handles())) {
      assert.ok(count <= (handlesBefore[kind] ?? 0) + 2, `${kind}: ${count}`);
    }
  });
});
