// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MODEL_HEADERS_MAX } from "../../../engine/models/limits.ts";
import { json } from "../../support/http.ts";
import { createProviderBench } from "../../support/providers/harness.ts";
import { answerChunks, answerStatus } from "../../support/providers/server.ts";
import { PROVIDER_WIRES } from "../../support/providers/wires.ts";

const SECRET = "planted-header-value-4711";

for (const wire of PROVIDER_WIRES) {
  describe(`Headers of a model of ${wire.provider}`, () => {
    async function openBench() {
      const bench = await createProviderBench(wire);
      const [configuration] = await json(await bench.test.call("GET", "/model-configurations"));
      const path = `/model-configurations/${configuration.id}`;
      const put = (headers: unknown) => bench.test.call("PUT", `${path}/headers`, { headers });
      const tryModel = async () => json(await bench.test.call("POST", `${path}/test`));
      return { ...bench, configuration, path, put, tryModel };
    }

    it("go with every request, are kept by an update, and are replaced whole", async () => {
      await using bench = await openBench();
      const answer = answerChunks(wire.contentType, wire.chunks([{ text: "OK" }]));
      bench.server.script(answer, answer, answer);
      const names = await json(await bench.put({ "X-Gateway-Route": SECRET, "X-Team": "blue" }));
      assert.deepEqual(names, { names: ["X-Gateway-Route", "X-Team"] });
      assert.equal((await bench.tryModel()).ok, true);
      const baseUrl = bench.configuration.baseUrl ?? undefined;
      const update = { provider: wire.provider, model: "m2", baseUrl, ...wire.configuration };
      await json(await bench.test.call("PUT", bench.path, update));
      assert.equal((await bench.tryModel()).ok, true);
      assert.deepEqual(await json(await bench.put({ "x-team": "red" })), { names: ["x-team"] });
      assert.equal((await bench.tryModel()).ok, true);
      const sent = bench.server.exchanges.map(({ headers }) => [
        headers["x-gateway-route"],
        headers["x-team"],
      ]);
      assert.deepEqual(sent, [
        [SECRET, "blue"],
        [SECRET, "blue"],
        [undefined, "red"],
      ]);
    });

    it("follow no redirect, and appear in no log, answer or column", async () => {
      await using bench = await openBench();
      await json(await bench.put({ "X-Gateway-Route": SECRET }));
      bench.server.script(answerStatus(307, "", { location: `${bench.server.url}/elsewhere` }));
      const redirected = await bench.tryModel();
      assert.equal(redirected.ok, false);
      assert.equal(bench.server.exchanges.length, 1);
      bench.server.script(answerStatus(400, wire.errorBody(`The route ${SECRET} is unknown`)));
      const refused = await bench.tryModel();
      const shown = await (await bench.test.call("GET", "/model-configurations")).text();
      const rows = await bench.test.deps.db.$client.execute("SELECT * FROM model_configurations");
      const everything = JSON.stringify([redirected, refused, shown, rows.rows, bench.log]);
      assert.ok(!everything.includes(SECRET), everything);
    });
  });
}

describe("PUT /model-configurations/{id}/headers", () => {
  const many = Object.fromEntries(
    Array.from({ length: MODEL_HEADERS_MAX + 1 }, (_, at) => [`x-${at}`, "v"]),
  );
  const refused: [what: string, headers: unknown, sentence: RegExp][] = [
    ["no object", "x", /headers: must be an object/],
    ["a value that is no string", { a: 1 }, /headers\.a: must be a string/],
    ["a name that is no token", { "a b": "v" }, /valid HTTP header names/],
    ["a name twice", { "X-A": "v", "x-a": "w" }, /must not name x-a twice/],
    ["a header of the connection", { Host: "v" }, /must not have Host/],
    ["a line break", { "x-a": "v\r\nx-b: w" }, /visible ASCII.*x-a/],
    ["an empty value", { "x-a": "" }, /visible ASCII/],
    ["a value that is too long", { "x-a": "v".repeat(4097) }, /at most 4096 characters/],
    ["too many", many, /at most 32 headers/],
  ];
  for (const [what, headers, sentence] of refused) {
    it(`refuses ${what}`, async () => {
      await using bench = await createProviderBench(PROVIDER_WIRES[0]!);
      const response = await bench.test.call("PUT", "/model-configurations/x/headers", { headers });
      const { error } = await json(response, 400);
      assert.match(error, sentence);
    });
  }

  it("is 404 for an unknown configuration, and an empty map removes all", async () => {
    await using bench = await createProviderBench(PROVIDER_WIRES[0]!);
    const unknown = await bench.test.call("PUT", "/model-configurations/x/headers", {
      headers: {},
    });
    assert.equal(unknown.status, 404);
    const [{ id }] = await json(await bench.test.call("GET", "/model-configurations"));
    const path = `/model-configurations/${id}/headers`;
    assert.deepEqual(await json(await bench.test.call("PUT", path, { headers: {} })), {
      names: [],
    });
  });
});
