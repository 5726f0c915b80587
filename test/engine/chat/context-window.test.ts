import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { fitMessages, inputTokensMax, messageTokens } from "../../../engine/chat/context-window.ts";
import type { ModelMessage } from "../../../engine/models/language-model.ts";

const user = (content: string): ModelMessage => ({ role: "user", content });
const assistant = (content: string): ModelMessage => ({ role: "assistant", content });
const system = (content: string): ModelMessage => ({ role: "system", content });
const results = (...outputs: string[]): ModelMessage => ({
  role: "tool",
  results: outputs.map((output) => ({ toolCallId: "c", toolName: "t", output, failed: false })),
});
const NEWEST = user("newest");

describe("the room for input", () => {
  const cases = [
    [8192, 8192 - 2048],
    [1_000_000, 1_000_000 - 4096],
    [100, 75],
    [1, 1],
  ] as const;
  for (const [window, tokens] of cases) {
    it(`of a window of ${window} is ${tokens} tokens`, () => {
      assert.equal(inputTokensMax(window), tokens);
    });
  }
});

describe("a conversation that does not fit", () => {
  it("loses its oldest messages first", () => {
    const history = [user("a"), assistant("b"), user("c"), assistant("d")];
    const all = { fixedTokens: 0, history, turn: [NEWEST] };
    assert.deepEqual(fitMessages(all, 1000), [...history, NEWEST]);
    const lengths = [4, 3, 2, 1, 0].map((kept) => {
      const max = messageTokens(NEWEST) + kept * messageTokens(user("a"));
      return fitMessages(all, max).length - 1;
    });
    // An answer whose question is gone goes with it.
    assert.deepEqual(lengths, [4, 2, 2, 0, 0]);
  });

  it("keeps a thread that began with an answer as it is", () => {
    const history = [assistant("hello"), user("a")];
    const all = { fixedTokens: 0, history, turn: [NEWEST] };
    assert.deepEqual(fitMessages(all, 1000), [...history, NEWEST]);
  });

  it("always keeps the newest user message, of any size", () => {
    const huge = user("x".repeat(100_000));
    const all = { fixedTokens: 500, history: [user("a")], turn: [huge] };
    assert.deepEqual(fitMessages(all, 100), [huge]);
  });

  it("loses the oldest tool results of the turn before the newer ones", () => {
    const step: ModelMessage = { role: "step", content: "", calls: [] };
    const big = "y".repeat(4000);
    const turn = [NEWEST, step, results(big, "small"), step, results(big)];
    const all = { fixedTokens: 0, history: [], turn };
    const [, , first, , second] = fitMessages(all, 1200);
    assert.ok(first?.role === "tool" && second?.role === "tool");
    assert.match(first.results[0]!.output, /dropped/);
    assert.equal(first.results[1]!.output, "small");
    assert.equal(second.results[0]!.output, big);
    assert.equal(turn[2]!.role === "tool" && turn[2]!.results[0]!.output, big);
  });

  it("fits wherever it can, keeps its order, and loses no message of the turn", () => {
    const message = fc.oneof(
      fc.string({ maxLength: 200 }).map(user),
      fc.string({ maxLength: 200 }).map(assistant),
      fc.string({ maxLength: 200 }).map(system),
    );
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 30 }),
        fc.array(fc.string({ maxLength: 2000 }), { maxLength: 4 }),
        fc.nat({ max: 2000 }),
        (history, outputs, max) => {
          const turn = [NEWEST, ...outputs.map((output) => results(output))];
          const fitted = fitMessages({ fixedTokens: 10, history, turn }, max);
          const kept = fitted.slice(0, -turn.length);
          assert.deepEqual(kept, history.slice(history.length - kept.length));
          assert.deepEqual(fitted[kept.length], NEWEST);
          const tokens = fitted.reduce((sum, it) => sum + messageTokens(it), 10);
          if (kept.length > 0) assert.ok(tokens <= max);
        },
      ),
    );
  });
});
