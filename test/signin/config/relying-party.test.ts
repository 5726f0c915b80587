import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseConfig } from "../../../signin/config/config.ts";
import { createRelyingParty, describeRefusedRpId } from "../../../signin/config/relying-party.ts";
import { TEST_ENV } from "../../support/signin/signin.ts";

function configOf(base: string, ui: string, rpId?: string) {
  return parseConfig({
    ...TEST_ENV,
    APP_ENV: "test",
    APP_BASE_URL: base,
    APP_UI_BASE_URL: ui,
    ...(rpId === undefined ? {} : { PASSKEY_RP_ID: rpId }),
  });
}

describe("the relying party of passkeys", () => {
  for (const [base, ui, id] of [
    ["https://auth.example.com", "https://app.example.com", "example.com"],
    ["https://example.com", "https://app.example.com/path", "example.com"],
    ["https://a.auth.example.com", "https://a.auth.example.com", "example.com"],
    ["https://auth.example.co.uk", "https://www.example.co.uk", "example.co.uk"],
    ["https://auth.one.co.uk", "https://app.two.co.uk", "auth.one.co.uk"],
    ["https://auth.example.com", "https://example.org", "auth.example.com"],
    ["https://me.github.io", "https://you.github.io", "me.github.io"],
    ["https://signin.me.workers.dev", "https://app.me.workers.dev", "me.workers.dev"],
    ["https://one.workers.dev", "https://two.workers.dev", "one.workers.dev"],
    ["https://auth.example.test", "https://app.example.test", "auth.example.test"],
    ["https://auth.www.ck", "https://app.www.ck", "www.ck"],
    ["https://auth.a.any.ck", "https://app.a.any.ck", "a.any.ck"],
    ["https://auth.any.ck", "https://app.any.ck", "auth.any.ck"],
    ["https://auth.intranet", "https://app.intranet", "auth.intranet"],
    ["http://localhost:8787", "http://localhost:3000", "localhost"],
    ["http://127.0.0.1:8787", "http://127.0.0.1:3000", "127.0.0.1"],
    ["https://bücher.example.com", "https://app.example.com", "example.com"],
  ] as const) {
    it(`of ${base} with ${ui} is ${id}`, () => {
      const party = createRelyingParty(configOf(base, ui))();
      assert.equal(party.id, id);
      const origins = [new URL(base).origin, new URL(ui).origin];
      assert.deepEqual(party.origins, [...new Set(origins)]);
    });
  }

  it("is what PASSKEY_RP_ID says, in lower case", () => {
    const config = configOf(
      "https://auth.example.com",
      "https://app.example.com",
      "App.Example.com",
    );
    assert.equal(createRelyingParty(config)().id, "app.example.com");
  });

  for (const rpId of [
    "example.org",
    "other.example.com",
    "com",
    "https://example.com",
    "example.com:443",
    "ample.com",
    "127.0.0.1",
    "a b",
  ]) {
    it(`refuses the PASSKEY_RP_ID ${rpId} by its name`, () => {
      assert.throws(
        () => configOf("https://auth.example.com", "https://app.example.com", rpId),
        /PASSKEY_RP_ID: must be/,
      );
    });
  }

  for (const suffix of ["co.uk", "github.io"]) {
    it(`refuses the public suffix ${suffix}: at the start on Node, at the first use on Workers`, () => {
      const config = configOf(`https://auth.${suffix}`, `https://app.${suffix}`, suffix);
      assert.match(describeRefusedRpId(config) ?? "", /^PASSKEY_RP_ID: /);
      assert.throws(createRelyingParty(config), {
        code: "passkeys_unavailable",
        status: 503,
      });
    });
  }
});
