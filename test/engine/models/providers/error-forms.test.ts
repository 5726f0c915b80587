// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  assertFailure,
  createProviderBench,
  QUESTION,
  runStep,
} from "../../../support/providers/harness.ts";
import { answerChunks, answerStatus, type Exchange } from "../../../support/providers/server.ts";
import { PLANTED_KEY, PROVIDER_WIRES } from "../../../support/providers/wires.ts";
import { repeats } from "../../../support/repeats.ts";

const plainText = (status: number, text: string) => async (exchange: Exchange) => {
  exchange.head(status, { "content-type": "text/plain" });
  await exchange.write(text);
  exchange.end();
};

for (const wire of PROVIDER_WIRES) {
  describe(`A refusal of ${wire.provider} shows its sentence`, () => {
    const sentence = "The gateway wants a routing header";
    for (const [form, body] of [
      ["as plain text", sentence],
      ["as a JSON string", JSON.stringify(sentence)],
      ["as a message", { message: sentence }],
      ["as a message with a status", { status: "failure", message: sentence }],
      ["as an error", { error: sentence }],
      ["as a detail", { detail: sentence }],
      ["as a list of details", { detail: [{ loc: ["body"], msg: sentence, type: "missing" }] }],
      ["deep inside", { error: { error: { message: sentence } } }],
      ["in a list of errors", { errors: [{ message: sentence }] }],
    ] as const) {
      it(form, async () => {
        await using bench = await createProviderBench(wire);
        bench.server.script(
          typeof body === "string" && !body.startsWith('"')
            ? plainText(400, body)
            : answerStatus(400, body),
        );
        assertFailure(bench, await runStep(bench.model), new RegExp(`It said: ${sentence}$`));
      });
    }

    for (const [about, text] of [
      ["its length", "word ".repeat(12_000)],
      ["the key in it", `Bad key ${PLANTED_KEY}`],
      ["the question in it", `Cannot answer: ${QUESTION}`],
      ["markup", "<html><body>502 Bad Gateway</body></html>"],
    ] as const) {
      it(`as plain text without ${about}`, async () => {
        await using bench = await createProviderBench(wire);
        bench.server.script(plainText(400, text));
        const outcome = await runStep(bench.model);
        assertFailure(bench, outcome, /refused the request \(400\)/);
        assert.ok((outcome.failure?.message.length ?? 0) < 350);
        assert.doesNotMatch(outcome.failure?.message ?? "", /<html>/);
      });
    }
  });

  describe(`An error of ${wire.provider} that is crafted to be slow`, () => {
    for (const [about, unit] of [
      ["a saying without its end", "input token count "],
      ["addresses", "http://"],
      ["tokens", "-eyJaaaaaaaaaaa"],
      ["white space", " \u2028"],
    ] as const) {
      it(`is handled at once: ${about}`, { timeout: 60_000 }, async () => {
        await using bench = await createProviderBench(wire);
        const text = unit.repeat(repeats({ once: 1_000_000, long: 4_000_000 }) / unit.length);
        bench.server.script(
          answerChunks(wire.contentType, [wire.errorChunk(text)]),
          answerStatus(400, wire.errorBody(text.slice(0, 60_000))),
        );
        assertFailure(bench, await runStep(bench.model), /model provider/);
        assertFailure(bench, await runStep(bench.model), /model provider/);
      });
    }
  });
}
