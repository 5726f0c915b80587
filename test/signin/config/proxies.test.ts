import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseConfig } from "../../../signin/config/config.ts";
import { TEST_ENV } from "../../support/signin/signin.ts";

describe("TRUSTED_PROXIES", () => {
  for (const wide of ["0.0.0.0/0", "::/0", "::ffff:0:0/96", "10.0.0.0/7", "::/16", "e000::/6"]) {
    it(`refuses ${wide} in production: it would let clients choose their addresses`, () => {
      const env = { ...TEST_ENV, TRUSTED_PROXIES: `10.0.0.0/8,${wide}` };
      assert.throws(() => parseConfig(env), /TRUSTED_PROXIES: must list your own networks/);
      assert.deepEqual(parseConfig({ ...env, APP_ENV: "development" }).trustedProxies.length, 2);
    });
  }

  it("takes what one operator may have", () => {
    const own = ["10.0.0.0/8", "127.0.0.1", "::1", "fc00::/7", "::ffff:10.0.0.0/104", "2400::/12"];
    const { trustedProxies } = parseConfig({ ...TEST_ENV, TRUSTED_PROXIES: own.join(",") });
    assert.deepEqual(trustedProxies, own);
  });
});
