// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestEngine } from "../../support/engine/engine.ts";
import { json } from "../../support/http.ts";
import { createProviderBench, runStep } from "../../support/providers/harness.ts";
import { answerChunks } from "../../support/providers/server.ts";
import { PROVIDER_WIRES } from "../../support/providers/wires.ts";

const NONE = { temperature: null, topP: null, maxOutputTokens: null };
const VALUES = { temperature: 0.25, topP: null, maxOutputTokens: 321 };

for (const wire of PROVIDER_WIRES) {
  describe(`Parameters of a model of ${wire.provider}`, () => {
    it("go with every request, and are the provider's own where they are null", async () => {
      await using bench = await createProviderBench(wire);
      const [{ id }] = await json(await bench.test.call("GET", "/model-configurations"));
      const path = `/model-configurations/${id}`;
      const answer = answerChunks(wire.contentType, wire.chunks([{ text: "OK" }]));
      bench.server.script(answer, answer, answer);
      await runStep(bench.model);
      assert.deepEqual(
        await json(await bench.test.call("PUT", `${path}/parameters`, VALUES)),
        VALUES,
      );
      await json(await bench.test.call("POST", `${path}/test`));
      const topP = { ...NONE, topP: 0.5 };
      await json(await bench.test.call("PUT", `${path}/parameters`, topP));
      await json(await bench.test.call("POST", `${path}/test`));
      const [plain, first, second] = bench.server.exchanges.map(({ body }) => numbersIn(body));
      assert.ok(!plain?.includes(0.25) && !plain?.includes(321));
      assert.ok(first?.includes(0.25) && first.includes(321), JSON.stringify(first));
      assert.ok(second?.includes(0.5) && !second.includes(0.25), JSON.stringify(second));
    });
  });
}

describe("/model-configurations/{id}/parameters", () => {
  it("answers what was stored, which an update of the configuration keeps", async () => {
    await using test = await createTestEngine();
    const input = { provider: "openai", model: "m" };
    const { id } = await json(await test.call("POST", "/model-configurations", input), 201);
    const path = `/model-configurations/${id}`;
    assert.deepEqual(await json(await test.call("GET", `${path}/parameters`)), NONE);
    await json(await test.call("PUT", `${path}/parameters`, VALUES));
    await json(await test.call("PUT", path, input));
    assert.deepEqual(await json(await test.call("GET", `${path}/parameters`)), VALUES);
  });

  it("is 404 for an unknown configuration", async () => {
    await using test = await createTestEngine();
    const path = "/model-configurations/x/parameters";
    assert.equal((await test.call("GET", path)).status, 404);
    assert.equal((await test.call("PUT", path, NONE)).status, 404);
  });

  for (const [field, value] of [
    ["temperature", -0.1],
    ["temperature", 2.1],
    ["temperature", "1"],
    ["topP", 1.5],
    ["maxOutputTokens", 0],
    ["maxOutputTokens", 1.5],
    ["topP", undefined],
  ] as const) {
    it(`refuses ${JSON.stringify(value)} as ${field}, and stores nothing`, async () => {
      await using test = await createTestEngine();
      const input = { provider: "openai", model: "m" };
      const { id } = await json(await test.call("POST", "/model-configurations", input), 201);
      const path = `/model-configurations/${id}/parameters`;
      const { error } = await json(
        await test.call("PUT", path, { ...VALUES, [field]: value }),
        400,
      );
      assert.match(error, new RegExp(`^${field}: `));
      assert.deepEqual(await json(await test.call("GET", path)), NONE);
    });
  }
});

/** All numbers of a body, at any depth. */
function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
