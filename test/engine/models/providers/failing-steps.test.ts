import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MODEL_IDLE_MS, MODEL_TEXT_CHARACTERS_MAX } from "../../../../engine/limits.ts";
import {
  createProviderBench,
  type ProviderBench,
  REQUEST,
  runStep,
  type StepOutcome,
} from "../../../support/provider-bench.ts";
import { answerChunks, answerStatus, type Exchange } from "../../../support/provider-server.ts";
import { PLANTED_KEY, PROVIDER_WIRES, type ProviderWire } from "../../../support/provider-wires.ts";

const QUESTION = "A question of some length";

/** Holds a failure to a sentence, and everything that could be seen of it to giving nothing away. */
function assertFailure(bench: ProviderBench, { failure }: StepOutcome, sentence: RegExp): void {
  assert.ok(failure, "a failure");
  assert.match(failure.message, sentence);
  const seen = `${failure.message} ${failure.stack} ${JSON.stringify(failure)} ${bench.log.join()}`;
  for (const secret of [PLANTED_KEY, "canary", QUESTION, "?alt=sse"]) {
    assert.equal(seen.includes(secret), false, secret);
  }
}

/** The chunks up to the first word. */
function beginning(wire: ProviderWire): Uint8Array[] {
  const chunks = wire.chunks([{ text: "begun" }, { text: "more" }]);
  const first = chunks.findIndex((chunk) => Buffer.from(chunk).includes("begun"));
  return chunks.slice(0, first + 1);
}

function streaming(wire: ProviderWire, then: (exchange: Exchange) => unknown) {
  return async (exchange: Exchange) => {
    exchange.head(200, { "content-type": wire.contentType });
    for (const chunk of beginning(wire)) {
      await exchange.write(chunk);
    }
    await then(exchange);
  };
}

for (const wire of PROVIDER_WIRES) {
  describe(`A step of ${wire.provider} fails once, and says why`, () => {
    for (const [status, sentence] of [
      [301, /redirect \(301\)/],
      [400, /refused the request \(400\). It said: Something is wrong here$/],
      [401, /refused the credentials \(401\)/],
      [403, /refused the credentials \(403\)/],
      [404, /no such model or address \(404\)/],
      [422, /refused the request \(422\)/],
    ] as const) {
      it(`where it is answered ${status}, which is asked for once`, async () => {
        await using bench = await createProviderBench(wire);
        const headers: Record<string, string> =
          status === 301 ? { location: bench.server.url } : {};
        bench.server.script(
          answerStatus(status, wire.errorBody("Something is wrong here"), headers),
        );
        assertFailure(bench, await runStep(bench.model), sentence);
        assert.equal(bench.server.exchanges.length, 1);
      });
    }

    for (const [about, echo] of [
      ["the key", () => `Incorrect key ${PLANTED_KEY} provided`],
      ["a part of the key", () => `Incorrect key ${PLANTED_KEY.slice(3, 14)}`],
      ["a masked key", () => "Incorrect key sk-c***************cdef"],
      ["the request", (exchange: Exchange) => `Cannot parse ${JSON.stringify(exchange.body)}`],
      ["the question", () => `Bad input: ${QUESTION}`],
      ["an address with a query", () => "See https://example.test/docs?token=canary-1 for help"],
    ] as const) {
      it(`where the refusal echoes ${about}`, async () => {
        await using bench = await createProviderBench(wire);
        bench.server.script((exchange) =>
          answerStatus(400, wire.errorBody(echo(exchange)))(exchange),
        );
        assertFailure(bench, await runStep(bench.model), /refused the request \(400\)/);
      });
    }

    it("where the refusal is no JSON, without end, or empty", async () => {
      await using bench = await createProviderBench(wire);
      const page = `<html>${PLANTED_KEY} ${"x".repeat(1024 * 1024)}`;
      bench.server.script(answerStatus(400, page), answerStatus(400, ""));
      assertFailure(bench, await runStep(bench.model), /refused the request \(400\)/);
      assertFailure(bench, await runStep(bench.model), /refused the request \(400\)/);
    });

    it("where the answer is no stream of its kind", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(answerStatus(200, `<html>${PLANTED_KEY}</html>`));
      assertFailure(bench, await runStep(bench.model), /model/);
    });

    it("where the connection drops in the middle", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(streaming(wire, (exchange) => exchange.drop()));
      const outcome = await runStep(bench.model);
      assertFailure(bench, outcome, /connection to the model provider broke/);
      assert.equal(
        bench.server.exchanges.length,
        1,
        "an answer that has begun is not asked for again",
      );
    });

    it("where the answer only stops coming", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(streaming(wire, (exchange) => exchange.end()));
      assertFailure(bench, await runStep(bench.model), /broke off before it was complete/);
    });

    it("where an error comes in the middle", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(
        streaming(wire, async (exchange) => {
          await exchange.write(wire.errorChunk(`went wrong with ${PLANTED_KEY}`));
          exchange.end();
        }),
      );
      assertFailure(bench, await runStep(bench.model), /model provider/);
    });

    it("where nothing comes at all, and hangs up", async () => {
      await using bench = await createProviderBench(wire);
      const asked = bench.server.next();
      bench.server.script(() => {});
      const step = runStep(bench.model);
      const exchange = await asked;
      bench.test.deps.clock.advance(MODEL_IDLE_MS);
      assertFailure(bench, await step, /sent nothing for 240 seconds/);
      await exchange.cut;
    });

    it("where nothing more comes, and hangs up", async () => {
      await using bench = await createProviderBench(wire);
      let hanging = () => {};
      const hung = new Promise<void>((resolve) => {
        hanging = resolve;
      });
      bench.server.script(streaming(wire, () => hanging()));
      const parts = bench.model
        .stream(REQUEST, new AbortController().signal)
        [Symbol.asyncIterator]();
      const first = await parts.next();
      assert.equal(first.value.type, "delta");
      await hung;
      const rest = (async () => {
        for (;;) if ((await parts.next()).done) return;
      })();
      bench.test.deps.clock.advance(MODEL_IDLE_MS);
      await assert.rejects(rest, /sent nothing for 240 seconds/);
      await bench.server.exchanges[0]!.cut;
    });

    it("where the answer has no end", async () => {
      await using bench = await createProviderBench(wire);
      const flood = "x".repeat(MODEL_TEXT_CHARACTERS_MAX / 4);
      const said = Array.from({ length: 6 }, () => ({ text: flood }));
      bench.server.script(answerChunks(wire.contentType, wire.chunks(said)));
      assertFailure(bench, await runStep(bench.model), /too long/);
    });

    for (const message of [
      "This model's maximum context length is 8192 tokens.",
      "prompt is too long: 210000 tokens > 200000 maximum",
      "The input token count (40000) exceeds the maximum number of tokens allowed (32768).",
      "Input is too long for requested model.",
      "the request exceeds the available context size. try increasing it",
    ]) {
      it(`where it says ${JSON.stringify(message)}, as a context overflow`, async () => {
        await using bench = await createProviderBench(wire);
        bench.server.script(answerStatus(400, wire.errorBody(message)));
        const outcome = await runStep(bench.model);
        assertFailure(bench, outcome, /longer than the context/);
        assert.equal(outcome.failure?.contextOverflow, true);
      });
    }
  });

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
      const step = runStep(bench.model);
      for (const waitMs of [500, 1000]) {
        await bench.logged(`"waitMs":${waitMs}`);
        bench.test.deps.clock.advance(waitMs);
      }
      assertFailure(bench, await step, /model provider failed \(500\)/);
      assert.equal(bench.server.exchanges.length, 3);
    });

    it("not at all where that would take too long", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(refuse(429, { "retry-after": "3600" }), answer());
      assertFailure(bench, await runStep(bench.model), /limiting requests \(429\)/);
      assert.equal(bench.server.exchanges.length, 1);
    });
  });

  describe(`A cancelled step of ${wire.provider}`, () => {
    const reason = new Error("cancelled");

    it("hangs up at once before an answer has begun", async () => {
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
      bench.server.script(streaming(wire, () => {}));
      const parts = bench.model.stream(REQUEST, turn.signal)[Symbol.asyncIterator]();
      await parts.next();
      turn.abort(reason);
      await assert.rejects(async () => {
        for (;;) if ((await parts.next()).done) return;
      }, reason);
      await bench.server.exchanges[0]!.cut;
      assert.equal(bench.test.deps.clock.pendingTimers, 0);
    });

    it("hangs up where nobody reads on", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(streaming(wire, () => {}));
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

    it("asks nobody where it was cancelled before", async () => {
      await using bench = await createProviderBench(wire);
      await assert.rejects(runStep(bench.model, REQUEST, AbortSignal.abort(reason)), reason);
      assert.equal(bench.server.exchanges.length, 0);
    });
  });
}

describe("A step of a provider that is slow", () => {
  it("goes on for as long as something comes", async () => {
    const wire = PROVIDER_WIRES[0]!;
    await using bench = await createProviderBench(wire);
    const asked = bench.server.next();
    bench.server.script(() => {});
    const parts = bench.model.stream(REQUEST, new AbortController().signal)[Symbol.asyncIterator]();
    let pending = parts.next();
    const exchange = await asked;
    exchange.head(200, { "content-type": wire.contentType });
    const chunks = wire.chunks(Array.from({ length: 5 }, (_, at) => ({ text: `${at}` })));
    for (const [at, chunk] of chunks.entries()) {
      await exchange.write(chunk);
      if (at < 5) {
        assert.deepEqual((await pending).value, { type: "delta", text: `${at}` });
        pending = parts.next();
        bench.test.deps.clock.advance(MODEL_IDLE_MS - 1);
      }
    }
    exchange.end();
    assert.equal((await pending).value.type, "end");
  });
});

describe("An address where nobody listens", () => {
  it("is a failure that names no address", async () => {
    const wire = PROVIDER_WIRES[0]!;
    await using bench = await createProviderBench(wire);
    await bench.server[Symbol.asyncDispose]();
    const step = runStep(bench.model);
    for (const waitMs of [500, 1000]) {
      await bench.logged(`"waitMs":${waitMs}`);
      bench.test.deps.clock.advance(waitMs);
    }
    const outcome = await step;
    assertFailure(bench, outcome, /could not be reached \(ECONNREFUSED\)/);
    assert.equal(outcome.failure?.message.includes("127.0.0.1"), false);
  });
});
