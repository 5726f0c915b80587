import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { VERSION } from "../../../engine/version.ts";
import { createTestEngine } from "../../support/engine/engine.ts";
import { json } from "../../support/http.ts";

describe("GET /health", () => {
  it("answers ok and the version", async () => {
    await using test = await createTestEngine();
    const health = await json(await test.call("GET", "/health"));
    assert.deepEqual(health, { status: "ok", version: VERSION });
  });
});

describe("POST /agui", () => {
  for (const body of [undefined, "{ not json", { anything: true }]) {
    it(`answers its placeholder for any body: ${JSON.stringify(body)}`, async () => {
      await using test = await createTestEngine();
      const answer = await json(await test.call("POST", "/agui", body));
      assert.deepEqual(Object.keys(answer), ["message"]);
      assert.equal(typeof answer.message, "string");
    });
  }
});
