import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestEngine } from "../../support/engine/engine.ts";
import { json } from "../../support/http.ts";

const PATH = "/tool-registry";
const API = { name: "n", toolType: "api" };

describe("The endpoint of a tool", () => {
  for (const endpointUrl of [
    "",
    "example.test",
    "ftp://example.test/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "http:example.test",
    "http:/example.test",
    "http:\\\\example.test",
    "http:///example.test",
    "http://",
    "http://exa mple.test",
    "http://example.test/\r\nX: y",
    " http://example.test",
    "http://good.test\\@evil.test",
    "http://[fe80::1%25eth0]/",
    "http://example.test:99999/",
  ]) {
    it(`refuses ${JSON.stringify(endpointUrl)} as an endpoint`, async () => {
      await using test = await createTestEngine();
      const { error } = await json(await test.call("POST", PATH, { ...API, endpointUrl }), 400);
      assert.equal(error, "endpointUrl: must be an HTTP or HTTPS URL.");
    });
  }

  for (const endpointUrl of [
    "http://user:pass@example.test/",
    "https://user@example.test",
    "https://:pass@example.test",
    "https://@example.test/",
  ]) {
    it(`refuses the embedded credentials of ${endpointUrl}`, async () => {
      await using test = await createTestEngine();
      const { error } = await json(await test.call("POST", PATH, { ...API, endpointUrl }), 400);
      assert.equal(error, "endpointUrl: must not have embedded credentials.");
    });
  }

  for (const endpointUrl of [
    "HTTPS://Example.test/a@b?c=d@e#f@g",
    "http://127.0.0.1:8080",
    "http://[::1]:8080/x",
    "https://bücher.test/",
  ]) {
    it(`stores ${endpointUrl} unchanged`, async () => {
      await using test = await createTestEngine();
      assert.equal(
        (await json(await test.call("POST", PATH, { ...API, endpointUrl }), 201)).endpointUrl,
        endpointUrl,
      );
    });
  }
});
