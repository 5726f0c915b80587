// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelRetry } from "../../../../engine/models/language-model.ts";
import {
  assertFailure,
  breaksOff,
  createProviderBench,
  REQUEST,
  runStep,
} from "../../../support/providers/harness.ts";
import { answerChunks, answerStatus, type Exchange } from "../../../support/providers/server.ts";
import { PROVIDER_WIRES } from "../../../support/providers/wires.ts";

for (const wire of PROVIDER_WIRES) {
  describe(`A request to ${wire.provider} is sent again`, () => {
    const answer = () => answerChunks(wire.contentType, wire.chunks([{ text: "at last" }]));
    const refuse = (status: number, headers: Record<string, string> = {}) =>
      answerStatus(status, wire.errorBody("slow down"), headers);

    for (const [about, reply, waitMs] of [
      ["after 500", refuse(500), 500],
      ["after 503", refuse(503), 500],
      ["after 429 without a word", refuse(429), 500],
      ["after 429 as late as Retry-After says", refuse(429, { "retry-after": "7" }), 7000],
      [
        "after 429 at the time that Retry-After says",
        refuse(429, { "retry-after": "Fri, 02 Jan 2026 03:04:15 GMT" }),
        10_000,
      ],
      [
        "after a connection that drops before an answer",
        (exchange: Exchange) => exchange.drop(),
        500,
      ],
    ] as const) {
      it(about, async () => {
        await using bench = await createProviderBench(wire);
        bench.server.script(reply, answer());
        const step = runStep(bench.model);
        await bench.logged("sent again");
        bench.test.deps.clock.advance(waitMs - 1);
        assert.equal(bench.server.exchanges.length, 1);
        bench.test.deps.clock.advance(1);
        assert.equal((await step).text, "at last");
        assert.equal(bench.server.exchanges.length, 2);
      });
    }

    it("three times in all, and no more", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(refuse(500), refuse(500), refuse(500), answer());
      const retries: ModelRetry[] = [];
      const step = runStep(bench.model, REQUEST, undefined, (retry) => retries.push(retry));
      for (const waitMs of [500, 1000]) {
        await bench.logged(`"waitMs":${waitMs}`);
        bench.test.deps.clock.advance(waitMs);
      }
      assertFailure(bench, await step, /model provider failed \(500\)/);
      assert.deepEqual(
        retries.map(({ attempt, afterMs }) => [attempt, afterMs]),
        [
          [1, 500],
          [2, 1000],
        ],
      );
      for (const { reason } of retries) assert.match(reason, /model provider failed \(500\)/);
      assert.equal(bench.server.exchanges.length, 3);
    });

    it("not at all where that would take too long", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(refuse(429, { "retry-after": "3600" }), answer());
      assertFailure(bench, await runStep(bench.model), /limiting requests \(429\)/);
      assert.equal(bench.server.exchanges.length, 1);
    });
  });

  describe(`A request to ${wire.provider} is never sent again`, () => {
    for (const [about, events] of [
      ["its head", 0],
      ["its first event", 1],
    ] as const) {
      it(`once an answer has begun with ${about}`, async () => {
        await using bench = await createProviderBench(wire);
        const chunks = wire.chunks([{ text: "begun" }]).slice(0, events);
        bench.server.script(async (exchange) => {
          exchange.head(200, { "content-type": wire.contentType });
          for (const chunk of chunks) await exchange.write(chunk);
          exchange.drop();
        });
        assertFailure(bench, await runStep(bench.model), /connection to the model provider broke/);
        assert.equal(bench.server.exchanges.length, 1);
      });
    }
  });

  describe(`A cancelled step of ${wire.provider}`, () => {
    const reason = new Error("cancelled");

    it("aborts the request at once before an answer has begun", async () => {
      await using bench = await createProviderBench(wire);
      const turn = new AbortController();
      const asked = bench.server.next();
      bench.server.script(() => {});
      const step = runStep(bench.model, REQUEST, turn.signal);
      const exchange = await asked;
      turn.abort(reason);
      await assert.rejects(step, reason);
      await exchange.cut;
      assert.equal(bench.test.deps.clock.pendingTimers, 0);
    });

    it("hangs up at once in the middle of an answer", async () => {
      await using bench = await createProviderBench(wire);
      const turn = new AbortController();
      bench.server.script(breaksOff(wire, () => {}));
      const parts = bench.model.stream(REQUEST, turn.signal)[Symbol.asyncIterator]();
      await parts.next();
      turn.abort(reason);
      await assert.rejects(async () => {
        for (;;) if ((await parts.next()).done) return;
      }, reason);
      await bench.server.exchanges[0]!.cut;
      assert.equal(bench.test.deps.clock.pendingTimers, 0);
    });

    it("aborts the request where its reader stops", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(breaksOff(wire, () => {}));
      for await (const _part of bench.model.stream(REQUEST, new AbortController().signal)) break;
      await bench.server.exchanges[0]!.cut;
      assert.equal(bench.test.deps.clock.pendingTimers, 0);
    });

    it("waits for no retry", async () => {
      await using bench = await createProviderBench(wire);
      const turn = new AbortController();
      bench.server.script(answerStatus(503, wire.errorBody("later")));
      const step = runStep(bench.model, REQUEST, turn.signal);
      await bench.logged("sent again");
      turn.abort(reason);
      await assert.rejects(step, reason);
      assert.equal(bench.server.exchanges.length, 1);
      assert.equal(bench.test.deps.clock.pendingTimers, 0);
    });

    it("sends no request where it was cancelled before", async () => {
      await using bench = await createProviderBench(wire);
      await assert.rejects(runStep(bench.model, REQUEST, AbortSignal.abort(reason)), reason);
      assert.equal(bench.server.exchanges.length, 0);
    });
  });
}
