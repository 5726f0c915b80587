// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { checkAuthConfig } from "../../../engine/tools/auth-config.ts";
import { createTestEngine } from "../../support/engine/engine.ts";
import { json } from "../../support/http.ts";

const PATH = "/tool-registry";
const API = { name: "n", toolType: "mcp", authType: "api_key" };

describe("The auth configuration of a tool", () => {
  for (const [sizeBytes, status] of [
    [64 * 1024, 201],
    [64 * 1024 + 1, 400],
    [12 * 1024 * 1024, 400],
  ] as const) {
    it(`of ${sizeBytes} bytes is answered ${status}`, async () => {
      await using test = await createTestEngine();
      const text = JSON.stringify({ "X-A": "v".repeat(sizeBytes - '{"X-A":""}'.length) });
      const response = await test.call("POST", PATH, { ...API, authConfigJson: text });
      const answer = await json(response, status);
      if (status === 400) assert.equal(answer.error, "authConfigJson: must have at most 64 KiB.");
    });
  }

  for (const [text, rule] of [
    ["", "must be valid JSON"],
    ["{", "must be valid JSON"],
    ["[]", "must be a JSON object"],
    ["null", "must be a JSON object"],
    ['"x"', "must be a JSON object"],
    ["{}", "must have at least one header"],
    ['{"X-A":1}', "must have strings as values"],
    ['{"X-A":null}', "must have strings as values"],
    ['{"X-A":{"b":"c"}}', "must have strings as values"],
    ['{"X-A":""}', "must have nonblank values"],
    ['{"X-A":" \\t"}', "must have nonblank values"],
    ['{"X-A":"a\\r\\nX-B: c"}', "must have values without line breaks"],
    ['{"X-A":"a\\n"}', "must have values without line breaks"],
    ['{"":"v"}', "must have valid HTTP header names as keys"],
    ['{"X A":"v"}', "must have valid HTTP header names as keys"],
    ['{"X-A:":"v"}', "must have valid HTTP header names as keys"],
    ['{"X-\\u00e4":"v"}', "must have valid HTTP header names as keys"],
    ['{"X-A\\n":"v"}', "must have valid HTTP header names as keys"],
    ['{"X-A":"v","x-a":"w"}', "must not name a header twice"],
    ['{"X-A":"v","X-A":"w"}', "must not name a header twice"],
    ['{"X-A":"v","X-\\u0041":"w"}', "must not name a header twice"],
    ['{"X-A":"v\\\\\\"","X-A":"w"}', "must not name a header twice"],
  ] as const) {
    it(`refuses ${JSON.stringify(text)} as auth: ${rule}`, async () => {
      await using test = await createTestEngine();
      const response = await test.call("POST", PATH, { ...API, authConfigJson: text });
      assert.deepEqual(await json(response, 400), { error: `authConfigJson: ${rule}.` });
    });
  }

  for (const text of [
    '{"__proto__":"v"}',
    '{"X-A":"quote \\" and \\\\","!#$%&\'*+-.^_`|~09":"é"}',
  ]) {
    it(`takes ${text} as auth`, async () => {
      await using test = await createTestEngine();
      await json(await test.call("POST", PATH, { ...API, authConfigJson: text }), 201);
      const { rows } = await test.deps.db.$client.execute("SELECT * FROM tool_configurations");
      const { uuid, sealed_auth_config: envelope } = rows[0]!;
      assert.equal(await test.deps.vault.open(String(envelope), `${uuid}:authConfig`), text);
    });
  }

  it("is accepted for every set of names that differ without case, with any values", () => {
    const name = fc.string({ unit: fc.constantFrom(..."aZ09-_!#$%&'*+.^`|~"), minLength: 1 });
    const value = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => {
      return text.trim() !== "" && !/[\r\n]/.test(text);
    });
    const headers = fc
      .uniqueArray(fc.tuple(name, value), {
        minLength: 1,
        selector: ([header]) => header.toLowerCase(),
      })
      .map((pairs) => pairs.map((pair) => pair.map((text) => JSON.stringify(text)).join(" : ")));
    fc.assert(
      fc.property(headers, (pairs) => {
        checkAuthConfig(`{ ${pairs.join(", ")} }`);
        const twice = `{ ${[...pairs, pairs[0]].join(", ")} }`;
        assert.throws(() => checkAuthConfig(twice), /twice/);
      }),
    );
  });
});
