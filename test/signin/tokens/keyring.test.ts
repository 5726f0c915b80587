import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { toHex, utf8 } from "../../../shared/bytes.ts";
import { createKeyring } from "../../../signin/tokens/keyring.ts";

const config = {
  signingAlgorithm: "HS256" as const,
  signingKeys: [utf8("n".repeat(32)), utf8("o".repeat(32))],
  encryptionKeys: [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)],
};
const hmac = (key: Uint8Array, data: Uint8Array) => createHmac("sha256", key).update(data).digest();

describe("the keyring", () => {
  it("makes the same MACs with WebCrypto and with the runtime's own HMAC", async () => {
    const data = utf8("what is signed");
    for (const purpose of ["refresh-token", "email-code", "log-pseudonym"] as const) {
      const slow = await createKeyring(config).macs(purpose);
      const quick = await createKeyring(config, hmac).macs(purpose);
      for (const [at, mac] of slow.entries()) {
        assert.equal(toHex(await mac(data)), toHex((await quick[at]?.(data)) ?? new Uint8Array()));
      }
    }
    const [slow] = await createKeyring(config).signingKeys();
    const [quick] = await createKeyring(config, hmac).signingKeys();
    assert.deepEqual(await slow?.sign(data), new Uint8Array((await quick?.sign(data)) ?? []));
  });

  it("has another key for each purpose and each configured key", async () => {
    const keyring = createKeyring(config);
    const data = utf8("x");
    const macs = await Promise.all([
      keyring.macs("refresh-token"),
      keyring.macs("email-code"),
      keyring.macs("log-pseudonym"),
      keyring.signingKeys().then((keys) => keys.map(({ sign }) => sign)),
    ]);
    const outputs = await Promise.all(macs.flat().map(async (mac) => toHex(await mac(data))));
    assert.equal(new Set(outputs).size, 8);
  });

  it("seals with the first encryption key and opens with all", async () => {
    const [first, second] = config.encryptionKeys;
    assert.ok(first && second);
    const old = await createKeyring({ ...config, encryptionKeys: [second] }).box();
    const both = await createKeyring(config).box();
    assert.equal(await both.open(await old.seal("secret", "here"), "here"), "secret");
    await assert.rejects(old.open(await both.seal("secret", "here"), "here"));
  });
});
