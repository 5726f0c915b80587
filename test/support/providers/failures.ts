import assert from "node:assert/strict";
import { type ProviderBench, QUESTION, type StepOutcome } from "./bench.ts";
import type { Exchange } from "./server.ts";
import { PLANTED_KEY, type ProviderWire } from "./wires.ts";

/** Holds a failure to a sentence, and everything that could be seen of it to giving nothing away. */
export function assertFailure(
  bench: ProviderBench,
  { failure }: StepOutcome,
  sentence: RegExp,
): void {
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

/** Begins an answer up to its first word, then does something else. */
export function breaksOff(wire: ProviderWire, then: (exchange: Exchange) => unknown) {
  return async (exchange: Exchange) => {
    exchange.head(200, { "content-type": wire.contentType });
    for (const chunk of beginning(wire)) {
      await exchange.write(chunk);
    }
    await then(exchange);
  };
}
