import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { importCoseKey } from "../../../signin/passkeys/cose-key.ts";

/** A COSE key as CBOR: small integers and byte strings alone. */
function encode(entries: readonly (readonly [number, number | Buffer])[]): Uint8Array<ArrayBuffer> {
  const head = (major: number, value: number) =>
    value < 24
      ? Buffer.of((major << 5) | value)
      : value < 256
        ? Buffer.of((major << 5) | 24, value)
        : Buffer.of((major << 5) | 25, value >> 8, value & 255);
  const number = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
  const parts = entries.flatMap(([label, value]) => [
    number(label),
    ...(typeof value === "number" ? [number(value)] : [head(2, value.length), value]),
  ]);
  return new Uint8Array(Buffer.concat([head(5, entries.length), ...parts]));
}

const rsa = (n: Buffer) =>
  encode([
    [1, 3],
    [3, -257],
    [-1, n],
    [-2, Buffer.of(1, 0, 1)],
  ]);
const ed25519 = (x: Buffer) =>
  encode([
    [1, 1],
    [3, -8],
    [-1, 6],
    [-2, x],
  ]);
const withSign = (x: Buffer) => Buffer.from([...x.subarray(0, 31), (x[31] ?? 0) | 0x80]);

// The y of the points of small order, the lowest byte first.
const SMALL_ORDER = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
].map((hex) => Buffer.from(hex, "hex"));
// p, p + 1, and all bits.
const NOT_CANONICAL = [
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
].map((hex) => Buffer.from(hex, "hex"));

describe("the key of a passkey is refused", () => {
  const refused = (key: Uint8Array<ArrayBuffer>) =>
    assert.rejects(importCoseKey(key), /public_key/);

  it("where zero bytes hide a short modulus", async () => {
    for (const bytes of [1, 64, 128, 255]) {
      await refused(rsa(Buffer.concat([Buffer.alloc(257 - bytes), Buffer.alloc(bytes, 0xff)])));
    }
    await refused(rsa(Buffer.concat([Buffer.of(0), Buffer.alloc(256, 0xff)])));
  });

  it("where its point is of small order, or not canonical, with either sign", async () => {
    for (const point of [...SMALL_ORDER, ...NOT_CANONICAL]) {
      await refused(ed25519(point));
      await refused(ed25519(withSign(point)));
    }
  });

  it("and a strong one is not", async () => {
    const { publicKey } = (await crypto.subtle.generateKey("Ed25519", true, [
      "sign",
    ])) as CryptoKeyPair;
    const raw = await crypto.subtle.exportKey("raw", publicKey);
    assert.equal((await importCoseKey(ed25519(Buffer.from(raw)))).algorithm, -8);
    assert.equal((await importCoseKey(rsa(Buffer.alloc(256, 0xff)))).algorithm, -257);
  });
});
