import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TOKENS_MAX } from "../../../engine/turns/limits.ts";
import { interruptActiveTurns } from "../../../engine/turns/record-store.ts";
import { createTestEngine } from "../../support/engine/engine.ts";
import { endOf, harnessOf, meteredStep, startTurn, turnOf } from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";

const NOW = "2026-01-02T05:00:00.000Z";
const ODD = [1.5, -5, 1e19, 9e18, TOKENS_MAX + 1, Number.NaN, Number.POSITIVE_INFINITY];

const metered = (tokens: number) =>
  meteredStep({ inputTokens: tokens, outputTokens: tokens }, { type: "delta", text: "x" });

describe("a token count that is no whole number from 0 to 2^40", () => {
  for (const tokens of ODD) {
    it(`was not reported: ${tokens}`, async () => {
      await using harness = await harnessOf([metered(tokens), metered(3)]);
      const { test } = harness;
      const { uuid } = await endOf(harness, await startTurn(harness));
      await endOf(harness, await startTurn(harness));
      await test.engine.close();
      await interruptActiveTurns(test.deps, NOW);
      await using next = await createTestEngine({ db: test.deps.db });
      const turn = await turnOf(next, uuid);
      assert.deepEqual(
        [turn.state, turn.inputTokens, turn.outputTokens],
        ["completed", null, null],
      );
      const { total } = await json(await next.call("GET", "/usage"));
      const expected = {
        turns: 2,
        turnsWithoutUsage: 1,
        inputTokens: 3,
        outputTokens: 3,
        cachedInputTokens: null,
      };
      assert.deepEqual(total, expected);
    });
  }

  it("is not made of believable ones by a turn with many steps", async () => {
    const call = { toolCallId: "c", toolName: "read_value", argumentsText: "{}" };
    const usage = { inputTokens: TOKENS_MAX, outputTokens: 1 };
    const step = meteredStep(usage, { type: "tool-call", call });
    await using harness = await harnessOf([step, metered(1)], { approvalConfig: '{"read":false}' });
    const { inputTokens, outputTokens } = await endOf(harness, await startTurn(harness));
    assert.deepEqual([inputTokens, outputTokens], [TOKENS_MAX, 2]);
  });
});

describe("a token count that an earlier version stored", () => {
  for (const stored of ["-5", "9000000000000000000"]) {
    it(`was not reported: ${stored}`, async () => {
      await using harness = await harnessOf([metered(3), metered(3)]);
      const { test } = harness;
      const { uuid } = await endOf(harness, await startTurn(harness));
      await endOf(harness, await startTurn(harness));
      await test.engine.close();
      await test.deps.db.$client.batch([
        `UPDATE turns SET input_tokens = ${stored} WHERE uuid = '${uuid}'`,
        `UPDATE usage SET input_tokens = ${stored}, output_tokens = NULL`,
        "INSERT INTO usage SELECT '2026-01-01', workspace_uuid, 'other', model, turns, 0, input_tokens, 4, NULL FROM usage",
      ]);
      await using next = await createTestEngine({ db: test.deps.db });
      assert.equal((await turnOf(next, uuid)).inputTokens, null);
      const { total } = await json(await next.call("GET", "/usage"));
      const expected = {
        turns: 4,
        turnsWithoutUsage: 2,
        inputTokens: null,
        outputTokens: 4,
        cachedInputTokens: null,
      };
      assert.deepEqual(total, expected);
    });
  }
});
