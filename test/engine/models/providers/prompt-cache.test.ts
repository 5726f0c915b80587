// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createProviderBench, runStep } from "../../../support/providers/harness.ts";
import { answerChunks } from "../../../support/providers/server.ts";
import { PROVIDER_WIRES } from "../../../support/providers/wires.ts";

// Where each provider says how much came from its cache.
const REPORTS: Readonly<Record<string, [place: string, report: string]>> = {
  openai: ['"input_tokens":11', '"input_tokens_details":{"cached_tokens":N}'],
  "openai-compatible": ['"prompt_tokens":11', '"prompt_tokens_details":{"cached_tokens":N}'],
  anthropic: ['"input_tokens":11', '"cache_read_input_tokens":N'],
  google: ['"promptTokenCount":11', '"cachedContentTokenCount":N'],
};

describe("the prompt cache of a provider", () => {
  for (const wire of PROVIDER_WIRES.filter(({ provider }) => provider in REPORTS)) {
    it(`of ${wire.provider} is counted as it reports it: 0 is a count, and nothing is none`, async () => {
      const [place, report] = REPORTS[wire.provider]!;
      for (const cached of [undefined, 0, 5]) {
        await using bench = await createProviderBench(wire);
        const chunks = wire.chunks([{ text: "ok" }]).map((chunk) => {
          const text = Buffer.from(chunk).toString();
          const more = `${place},${report.replace("N", String(cached))}`;
          return Buffer.from(cached === undefined ? text : text.replace(place, more));
        });
        bench.server.script(answerChunks(wire.contentType, chunks));
        const { end } = await runStep(bench.model);
        assert.equal(end?.usage?.cachedInputTokens, cached);
      }
    });
  }

  it("of Anthropic is asked for at the top of each request, and nowhere else", async () => {
    const wire = PROVIDER_WIRES.find(({ provider }) => provider === "anthropic")!;
    await using bench = await createProviderBench(wire);
    bench.server.script(answerChunks(wire.contentType, wire.chunks([{ text: "ok" }])));
    await runStep(bench.model);
    const { cache_control, ...rest } = bench.server.exchanges[0]!.body;
    assert.deepEqual(cache_control, { type: "ephemeral" });
    assert.doesNotMatch(JSON.stringify(rest), /cache_control/);
  });
});
