// Slow: it starts a server for each error of each provider.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createProviderBench, REQUEST, runStep } from "../../../support/providers/harness.ts";
import { answerStatus } from "../../../support/providers/server.ts";
import { PROVIDER_WIRES } from "../../../support/providers/wires.ts";

const TOOLS = [{ name: "read_value", doc: "Reads.", parameters: { type: "object" } }];

describe("an error that is about tools", () => {
  for (const wire of PROVIDER_WIRES) {
    it(`of ${wire.provider} counts at any status, and ends the retries`, async () => {
      const table = [
        [400, "registry.ollama.ai/library/gemma:2b does not support tools", true],
        [404, "No endpoints found that support tool use.", true],
        [500, "tools param requires --jinja flag", true],
        [503, "start the server with --jinja", true],
        [400, "The toolbox is closed.", false],
      ] as const;
      for (const [status, said, isRefusal] of table) {
        await using bench = await createProviderBench(wire);
        bench.server.script(answerStatus(status, wire.errorBody(said)));
        const { failure } = await runStep(bench.model, { ...REQUEST, tools: TOOLS });
        assert.equal(failure?.refusesTools, isRefusal, said);
        assert.equal(bench.server.exchanges.length, 1);
      }
    });
  }

  it("is none where no tools were sent", async () => {
    const wire = PROVIDER_WIRES[0]!;
    await using bench = await createProviderBench(wire);
    bench.server.script(answerStatus(400, wire.errorBody("does not support tools")));
    assert.equal((await runStep(bench.model)).failure?.refusesTools, false);
  });
});
