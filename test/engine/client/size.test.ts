import assert from "node:assert/strict";
import { it } from "node:test";
import { bundleForBrowser } from "../../support/browser-bundle.ts";

const CORE_BYTES_MAX = 10 * 1024;

it("the client for browsers has at most 10 KiB gzip, and no import", async () => {
  const { gzipBytes, imports } = await bundleForBrowser("engine/client/client.ts");
  assert.deepEqual(imports, []);
  assert.ok(gzipBytes <= CORE_BYTES_MAX, `${gzipBytes} bytes`);
});
