import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestSignin, UI_URL } from "../../../support/signin/signin.ts";

describe("a refused callback", () => {
  const path = `/auth/google/callback?code=canary-code&state=canary-state`;

  it("is a page for a browser: no script, nothing of the request, and a way back", async () => {
    await using signin = await createTestSignin();
    const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    const response = await signin.call("GET", path, { headers: { accept } });
    assert.equal(response.status, 400);
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
    assert.match(
      response.headers.get("content-security-policy") ?? "",
      /^default-src 'none'; style-src 'self'/,
    );
    const text = await response.text();
    assert.match(text, /invalid_state/);
    assert.match(text, new RegExp(`href="${UI_URL}"`));
    assert.doesNotMatch(text, /<script|canary/);
  });

  it("says what to do, in the language of the browser", async () => {
    await using signin = await createTestSignin();
    const headers = { accept: "text/html", "accept-language": "fr-CH, de;q=0.5" };
    const response = await signin.call("GET", path, { headers });
    assert.equal(response.headers.get("content-language"), "fr");
    const text = await response.text();
    assert.match(text, /<html lang="fr">/);
    assert.match(text, /Veuillez recommencer\./);
  });

  it("is a page at every other address, too", async () => {
    await using signin = await createTestSignin();
    for (const [address, status, code] of [
      ["/nowhere", 404, "not_found"],
      ["/auth/me", 401, "invalid_token"],
    ] as const) {
      const response = await signin.call("GET", address, { headers: { accept: "text/html" } });
      assert.equal(response.status, status);
      const text = await response.text();
      assert.match(text, new RegExp(`<h1>This page cannot be shown</h1>[^]*Error: ${code}`));
      const json = await signin.call("GET", address, { headers: { accept: "*/*" } });
      assert.equal((await json.json()).code, code);
    }
  });

  for (const accept of ["application/json", "*/*", undefined]) {
    it(`is JSON for Accept: ${accept ?? "nothing"}`, async () => {
      await using signin = await createTestSignin();
      const response = await signin.call("GET", path, { headers: accept ? { accept } : {} });
      assert.equal(response.headers.get("content-type"), "application/json");
      const { error, code, request_id, ...rest } = await response.json();
      assert.equal(code, "invalid_state");
      assert.equal(typeof error, "string");
      assert.equal(request_id, response.headers.get("x-request-id"));
      assert.deepEqual(rest, {});
    });
  }
});
