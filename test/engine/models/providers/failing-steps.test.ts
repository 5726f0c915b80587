// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import {
  MODEL_CALLS_MAX,
  MODEL_IDLE_MS,
  MODEL_TEXT_CHARACTERS_MAX,
} from "../../../../engine/models/limits.ts";
import {
  assertFailure,
  breaksOff,
  createProviderBench,
  QUESTION,
  REQUEST,
  runStep,
} from "../../../support/providers/harness.ts";
import { answerChunks, answerStatus, type Exchange } from "../../../support/providers/server.ts";
import { PLANTED_KEY, PROVIDER_WIRES } from "../../../support/providers/wires.ts";

for (const wire of PROVIDER_WIRES) {
  describe(`A step of ${wire.provider} fails once, and reports why`, () => {
    for (const [status, sentence] of [
      [301, /redirect \(301\)/],
      [400, /refused the request \(400\). It said: Something is wrong here$/],
      [401, /refused the credentials \(401\)/],
      [403, /refused the credentials \(403\)/],
      [404, /no such model or address \(404\)/],
      [422, /refused the request \(422\)/],
    ] as const) {
      it(`where it is answered ${status}, without a retry`, async () => {
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
      const sentence = /could not be (understood|asked)|broke off/;
      assertFailure(bench, await runStep(bench.model), sentence);
    });

    it("where the connection drops in the middle", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(breaksOff(wire, (exchange) => exchange.drop()));
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
      bench.server.script(breaksOff(wire, (exchange) => exchange.end()));
      assertFailure(bench, await runStep(bench.model), /broke off before it was complete/);
    });

    it("where an error arrives in the middle", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(
        breaksOff(wire, async (exchange) => {
          await exchange.write(wire.errorChunk(`went wrong with ${PLANTED_KEY}`));
          exchange.end();
        }),
      );
      assertFailure(bench, await runStep(bench.model), /model provider/);
    });

    it("where no response arrives, and aborts the request", async () => {
      await using bench = await createProviderBench(wire);
      const asked = bench.server.next();
      bench.server.script(() => {});
      const step = runStep(bench.model);
      const exchange = await asked;
      bench.test.deps.clock.advance(MODEL_IDLE_MS);
      assertFailure(bench, await step, /sent nothing for 240 seconds/);
      await exchange.cut;
    });

    it("where the response stalls, and aborts the request", async () => {
      await using bench = await createProviderBench(wire);
      let hanging = () => {};
      const hung = new Promise<void>((resolve) => {
        hanging = resolve;
      });
      bench.server.script(breaksOff(wire, () => hanging()));
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
      const flood = "x".repeat(MODEL_TEXT_CHARACTERS_MAX / 8);
      const said = Array.from({ length: 10 }, () => ({ text: flood }));
      bench.server.script(answerChunks(wire.contentType, wire.chunks(said)));
      assertFailure(bench, await runStep(bench.model), /too long/);
    });

    it("where it calls tools without end, or with arguments that have none", async () => {
      await using bench = await createProviderBench(wire);
      const call = (at: number, text: string) => ({
        call: { id: `c${at}`, name: "read_x", fragments: [JSON.stringify({ text })] },
      });
      const many = Array.from({ length: MODEL_CALLS_MAX + 1 }, (_, at) => call(at, ""));
      const long = [call(0, "x".repeat(MODEL_TEXT_CHARACTERS_MAX))];
      for (const [said, sentence] of [
        [many, /more than 100 tools at once/],
        [long, /too long/],
      ] as const) {
        bench.server.script(answerChunks(wire.contentType, wire.chunks(said)));
        assertFailure(bench, await runStep(bench.model), sentence);
      }
    });

    for (const message of [
      "This model's maximum context length is 8192 tokens.",
      "prompt is too long: 210000 tokens > 200000 maximum",
      "The input token count (40000) exceeds the maximum number of tokens allowed (32768).",
      "Input is too long for requested model.",
      "the request exceeds the available context size. try increasing it",
    ]) {
      it(`where the text is ${JSON.stringify(message)}, as a context overflow`, async () => {
        await using bench = await createProviderBench(wire);
        bench.server.script(answerStatus(400, wire.errorBody(message)));
        const outcome = await runStep(bench.model);
        assertFailure(bench, outcome, /longer than the context/);
        assert.equal(outcome.failure?.contextOverflow, true);
      });
    }
  });
}

describe("A step of a provider that is slow", () => {
  it("continues for as long as data arrives", async () => {
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

describe("A reader that is slow", () => {
  it("is no fault of the provider", async () => {
    const wire = PROVIDER_WIRES[0]!;
    await using bench = await createProviderBench(wire);
    const said = Array.from({ length: 400 }, () => ({ text: "x".repeat(4096) }));
    bench.server.script(answerChunks(wire.contentType, wire.chunks(said)));
    let length = 0;
    for await (const part of bench.model.stream(REQUEST, new AbortController().signal)) {
      if (part.type !== "delta") continue;
      length += part.text.length;
      if (length % (4096 * 100) !== 0) continue;
      // Long enough for everything that is read ahead to be there.
      while (bench.test.deps.clock.pendingTimers > 0) await setImmediate();
      bench.test.deps.clock.advance(MODEL_IDLE_MS * 2);
    }
    assert.equal(length, 400 * 4096);
  });
});

describe("An address without a listener", () => {
  it("is a failure that names the address, and what to start", async () => {
    const wire = PROVIDER_WIRES[0]!;
    await using bench = await createProviderBench(wire);
    await bench.server[Symbol.asyncDispose]();
    const step = runStep(bench.model);
    for (const waitMs of [500, 1000]) {
      await bench.logged(`"waitMs":${waitMs}`);
      bench.test.deps.clock.advance(waitMs);
    }
    const outcome = await step;
    const { origin } = new URL(bench.server.url);
    assert.equal(outcome.failure?.message, `Nothing answers at ${origin}. Is its server running?`);
    assertFailure(bench, outcome, /^Nothing answers at /);
  });
});

it("A step that begins calls without end fails, though its package holds them back", async () => {
  const wire = PROVIDER_WIRES.find(({ provider }) => provider === "openai-compatible")!;
  await using bench = await createProviderBench(wire);
  bench.server.script(async ({ head, write }) => {
    head(200, { "content-type": wire.contentType });
    for (let index = 0; index <= MODEL_CALLS_MAX; index += 1) {
      const call = { index, id: `c${index}`, function: { name: "read_x", arguments: "{" } };
      const choices = [{ index: 0, delta: { tool_calls: [call] } }];
      await write(`data: ${JSON.stringify({ id: "c", choices })}\n\n`);
    }
  });
  assertFailure(bench, await runStep(bench.model), /more than 100 tools at once/);
});
