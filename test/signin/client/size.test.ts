// Slow: it bundles the client.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bundleForBrowser } from "../../support/browser-bundle.ts";

const CLIENT_BYTES_MAX = 4096;
const VERIFIER_BYTES_MAX = 2816;

describe("what other projects load", () => {
  it("the client has at most 4 KiB gzip, and no import", async () => {
    const { gzipBytes, imports } = await bundleForBrowser("signin/client/client.ts");
    assert.deepEqual(imports, []);
    assert.ok(gzipBytes <= CLIENT_BYTES_MAX, `${gzipBytes} bytes`);
  });

  it("the verifier has at most 2,816 bytes gzip beside jose", async () => {
    const { gzipBytes, imports } = await bundleForBrowser("signin/verify/verify.ts");
    assert.deepEqual(imports, ["jose"]);
    assert.ok(gzipBytes <= VERIFIER_BYTES_MAX, `${gzipBytes} bytes`);
  });
});
