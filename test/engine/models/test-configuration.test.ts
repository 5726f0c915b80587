// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MODEL_TEST_MS_MAX } from "../../../engine/models/limits.ts";
import { TEST_HEADERS } from "../../support/engine/engine.ts";
import { json } from "../../support/http.ts";
import { breaksOff, createProviderBench } from "../../support/providers/harness.ts";
import { answerChunks, answerStatus } from "../../support/providers/server.ts";
import { PLANTED_KEY, PROVIDER_WIRES, type ProviderWire } from "../../support/providers/wires.ts";

async function benchOf(wire: ProviderWire, changes: object = {}) {
  const bench = await createProviderBench(wire);
  const [{ id }] = await json(await bench.test.call("GET", "/model-configurations"));
  const baseUrl = bench.server.url + wire.basePath;
  if (Object.keys(changes).length > 0) {
    const input = { provider: wire.provider, model: "m", baseUrl, ...changes };
    await json(await bench.test.call("PUT", `/model-configurations/${id}`, input));
  }
  return { ...bench, path: `/model-configurations/${id}/test` };
}

for (const wire of PROVIDER_WIRES) {
  describe(`A test of a model of ${wire.provider}`, () => {
    it("is one small request, and measures its answer", async () => {
      await using bench = await benchOf(wire);
      bench.server.script(answerChunks(wire.contentType, wire.chunks([{ text: "OK" }])));
      const result = await json(await bench.test.call("POST", bench.path));
      assert.deepEqual(result, { ok: true, firstTokenMs: 0, totalMs: 0, error: null });
      const [exchange, ...more] = bench.server.exchanges;
      assert.equal(more.length, 0);
      assert.equal(exchange!.path, wire.path);
      assert.equal(wire.keyOf(exchange!.headers), PLANTED_KEY);
      assert.ok(JSON.stringify(exchange!.body).length < 1000);
    });

    for (const [status, sentence] of [
      [401, "The model provider refused the credentials (401). It said: Who are you?"],
      [429, "The model provider is limiting requests (429). Try again later."],
      [503, "The model provider failed (503)."],
    ] as const) {
      it(`sends one request where it is answered ${status}, and reports it as a chat would`, async () => {
        await using bench = await benchOf(wire);
        const words = status === 401 ? "Who are you?" : `Use ${PLANTED_KEY}`;
        bench.server.script(answerStatus(status, wire.errorBody(words)));
        const result = await json(await bench.test.call("POST", bench.path));
        assert.deepEqual(result, { ok: false, firstTokenMs: null, totalMs: 0, error: sentence });
        assert.equal(bench.server.exchanges.length, 1);
      });
    }

    it("ends after 20 seconds, and hangs up", async () => {
      await using bench = await benchOf(wire);
      const asked = bench.server.next();
      bench.server.script(() => {});
      const pending = bench.test.call("POST", bench.path);
      const exchange = await asked;
      bench.test.deps.clock.advance(MODEL_TEST_MS_MAX);
      const { ok, totalMs, error } = await json(await pending);
      assert.deepEqual([ok, totalMs], [false, MODEL_TEST_MS_MAX]);
      assert.match(error, /within 20 seconds/);
      await exchange.cut;
      assert.equal(bench.test.deps.clock.pendingTimers, 0);
    });

    it("aborts its request where its client disconnects", async () => {
      await using bench = await benchOf(wire);
      const asked = bench.server.next();
      bench.server.script(() => {});
      const client = new AbortController();
      const url = `http://127.0.0.1/api/v1${bench.path}`;
      const init = { method: "POST", headers: TEST_HEADERS, signal: client.signal };
      const pending = bench.test.engine.fetch(new Request(url, init));
      const exchange = await asked;
      client.abort();
      await exchange.cut;
      assert.equal((await json(await pending)).ok, false);
      assert.equal(bench.test.deps.clock.pendingTimers, 0);
    });

    it("reports an incomplete answer", async () => {
      await using bench = await benchOf(wire);
      bench.server.script(breaksOff(wire, (exchange) => exchange.drop()));
      const result = await json(await bench.test.call("POST", bench.path));
      assert.deepEqual([result.ok, result.firstTokenMs], [false, 0]);
      assert.match(result.error, /broke before the answer was complete/);
    });
  });
}

describe("A test of a model", () => {
  const wire = PROVIDER_WIRES[0]!;

  it("reports a missing key where the provider requires one", async () => {
    await using bench = await benchOf(wire, { clearApiKey: true });
    bench.server.script(answerStatus(401, wire.errorBody("no")));
    const { error } = await json(await bench.test.call("POST", bench.path));
    assert.match(error, /credentials \(401\): no API key is stored for this model\./);
  });

  it("reports an invalid configuration, and sends nothing", async () => {
    for (const [changes, sentence] of [
      [{ provider: "banana", baseUrl: null }, /Known providers: openai, /],
      [{ baseUrl: null }, /needs a base URL/],
      [{ baseUrl: "not a url" }, /not an HTTP or HTTPS address/],
    ] as const) {
      await using bench = await benchOf(wire, changes);
      const { ok, error } = await json(await bench.test.call("POST", bench.path));
      assert.equal(ok, false);
      assert.match(error, sentence);
      assert.equal(bench.server.exchanges.length, 0);
    }
  });

  it("of echo always succeeds", async () => {
    await using bench = await benchOf(wire, { provider: "echo" });
    assert.equal((await json(await bench.test.call("POST", bench.path))).ok, true);
  });

  it("that is not there is 404 with an empty body", async () => {
    await using bench = await benchOf(wire);
    const response = await bench.test.call("POST", "/model-configurations/other/test");
    assert.deepEqual([response.status, await response.text()], [404, ""]);
  });
});
