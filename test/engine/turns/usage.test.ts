import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { interruptActiveTurns } from "../../../engine/turns/record-store.ts";
import { deletedRowsGone } from "../../support/engine/engine.ts";
import {
  chat,
  endOf,
  harnessOf,
  meteredStep,
  send,
  startTurn,
} from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";

const DAY_MS = 24 * 60 * 60_000;
const metered = (
  inputTokens: number | undefined,
  outputTokens: number | undefined,
  cachedInputTokens?: number,
) => meteredStep({ inputTokens, outputTokens, cachedInputTokens }, { type: "delta", text: "x" });

/** On 2 January a turn of 10 and 4 tokens, 6 of a cache, and one that reports nothing; on 3 January one of 7 input tokens. */
async function createHarness() {
  const harness = await harnessOf([metered(10, 4, 6), ["echo"], metered(7, undefined, 0)]);
  await chat(harness, "t1");
  await endOf(harness, await startTurn(harness));
  harness.test.deps.clock.advance(DAY_MS);
  await chat(harness, "t2");
  const usage = async (query = "") => json(await harness.test.call("GET", `/usage${query}`));
  return Object.assign(harness, { usage });
}

const SECOND = {
  turns: 2,
  turnsWithoutUsage: 1,
  inputTokens: 10,
  outputTokens: 4,
  cachedInputTokens: 6,
};
const THIRD = {
  turns: 1,
  turnsWithoutUsage: 0,
  inputTokens: 7,
  outputTokens: null,
  cachedInputTokens: 0,
};
const BOTH = {
  turns: 3,
  turnsWithoutUsage: 1,
  inputTokens: 17,
  outputTokens: 4,
  cachedInputTokens: 6,
};
const NONE = {
  turns: 0,
  turnsWithoutUsage: 0,
  inputTokens: null,
  outputTokens: null,
  cachedInputTokens: null,
};

describe("GET /usage", () => {
  it("sums the turns of the last 30 days by day", async () => {
    await using harness = await createHarness();
    assert.deepEqual(await harness.usage(), {
      groups: [
        { key: "2026-01-02", ...SECOND },
        { key: "2026-01-03", ...THIRD },
      ],
      total: BOTH,
    });
    harness.test.deps.clock.advance(28 * DAY_MS);
    assert.deepEqual((await harness.usage()).total, BOTH);
    harness.test.deps.clock.advance(DAY_MS);
    assert.deepEqual((await harness.usage()).total, THIRD);
    harness.test.deps.clock.advance(DAY_MS);
    assert.deepEqual(await harness.usage(), { groups: [], total: NONE });
  });

  it("sums by model, workspace and thread", async () => {
    await using harness = await createHarness();
    const { threadUuid, workspaceUuid } = harness;
    for (const [groupBy, key] of [
      ["model", "scripted"],
      ["workspace", workspaceUuid],
      ["thread", threadUuid],
    ]) {
      const expected = { groups: [{ key, ...BOTH }], total: BOTH };
      assert.deepEqual(await harness.usage(`?groupBy=${groupBy}`), expected);
    }
  });

  it("takes the days that are asked for, both included", async () => {
    await using harness = await createHarness();
    for (const [query, total] of [
      ["?from=2026-01-02&to=2026-01-02", SECOND],
      ["?from=2026-01-03", THIRD],
      ["?to=2026-01-02", SECOND],
      ["?from=2026-01-01&to=2026-01-03", BOTH],
      ["?from=2026-02-01", NONE],
      ["?to=2025-12-31", NONE],
    ] as const) {
      assert.deepEqual((await harness.usage(query)).total, total, query);
    }
  });

  it("refuses what is no day or group with 400 that names it", async () => {
    await using harness = await createHarness();
    for (const [query, field] of [
      ["?from=2026-02-30", "from: must be a date such as 2026-11-22$"],
      ["?from=yesterday", "from"],
      ["?to=", "to"],
      ["?to=2026-01-02T00:00:00Z", "to"],
      ["?from=2026-01-03&to=2026-01-02", "from"],
      ["?groupBy=hour", "groupBy"],
    ] as const) {
      const response = await harness.test.call("GET", `/usage${query}`);
      assert.match((await json(response, 400)).details, new RegExp(`^${field}`), query);
    }
  });

  it("keeps what deleted threads used", async () => {
    await using harness = await createHarness();
    const { test, threadUuid, workspaceUuid } = harness;
    const before = await harness.usage("?groupBy=thread");
    for (const path of [`/threads/${threadUuid}`, `/workspaces/${workspaceUuid}`]) {
      assert.equal((await test.call("DELETE", path)).status, 204);
      await deletedRowsGone(test.deps.db);
      assert.deepEqual(await harness.usage("?groupBy=thread"), before);
    }
    assert.equal(before.groups[0].key, threadUuid);
  });

  it("counts the tokens of a turn that the end of the engine cut off", async () => {
    const call = { toolCallId: "c", toolName: "read_value", argumentsText: "{}" };
    const first = meteredStep(
      { inputTokens: 3, outputTokens: 2 },
      { type: "delta", text: "a" },
      { type: "tool-call", call },
    );
    await using harness = await harnessOf([first, ["x", { call: "create_value", args: {} }]], {
      approvalConfig: '{"read":false}',
    });
    await send(harness);
    await harness.socket.next("tool.approval.request");
    harness.test.deps.clock.advance(1_000);
    await interruptActiveTurns(harness.test.deps, "2026-01-02T04:00:00.000Z");
    const { total } = await json(await harness.test.call("GET", "/usage"));
    assert.deepEqual(total, {
      turns: 1,
      turnsWithoutUsage: 0,
      inputTokens: 3,
      outputTokens: 2,
      cachedInputTokens: null,
    });
  });
});
