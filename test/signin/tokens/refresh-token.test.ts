import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { fromBase64Url, toBase64Url, utf8 } from "../../../shared/bytes.ts";
import { createKeyring } from "../../../signin/tokens/keyring.ts";
import { decodeRefreshToken, encodeRefreshToken } from "../../../signin/tokens/refresh-token.ts";

const encryptionKeys = [new Uint8Array(32)];
const ring = (...texts: string[]) =>
  createKeyring({ signingKeys: texts.map(utf8), signingAlgorithm: "HS256", encryptionKeys });
const KEYS = await ring("a".repeat(32)).macs("refresh-token");
const ID = toBase64Url(new Uint8Array(16).fill(7));

describe("a refresh token", () => {
  it("reads back as the session and counter that it was made of", async () => {
    const ids = fc.uint8Array({ minLength: 16, maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(ids, fc.integer({ min: 0, max: 2 ** 31 - 1 }), async (id, counter) => {
        const claims = { sessionId: toBase64Url(id), counter };
        const token = await encodeRefreshToken(KEYS, claims);
        assert.match(token, /^rt1\.[A-Za-z0-9_-]+$/);
        assert.deepEqual(await decodeRefreshToken(KEYS, token), claims);
        assert.equal(await encodeRefreshToken(KEYS, claims), token);
      }),
    );
  });

  it("with any bit changed is refused", async () => {
    const token = await encodeRefreshToken(KEYS, { sessionId: ID, counter: 300 });
    const bytes = fromBase64Url(token.slice(4));
    assert.ok(bytes);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed: Uint8Array = new Uint8Array(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.equal(await decodeRefreshToken(KEYS, `rt1.${toBase64Url(changed)}`), undefined);
    }
  });

  it("is never read from text that this server did not make", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 120 }), async (text) => {
        assert.equal(await decodeRefreshToken(KEYS, text), undefined);
        assert.equal(await decodeRefreshToken(KEYS, `rt1.${text}`), undefined);
      }),
    );
  });

  const spellings: [name: string, change: (token: string) => string][] = [
    ["padding", (token) => `${token}==`],
    ["another prefix", (token) => token.replace("rt1.", "rt2.")],
    ["an upper-case prefix", (token) => token.replace("rt1.", "RT1.")],
    ["white space", (token) => ` ${token}`],
    ["a line feed", (token) => `${token}\n`],
    ["more characters", (token) => `${token}AAAA`],
    ["fewer characters", (token) => token.slice(0, -4)],
    ["a very long tail", (token) => token + "A".repeat(10_000)],
  ];
  for (const [name, change] of spellings) {
    it(`with ${name} is refused`, async () => {
      const token = await encodeRefreshToken(KEYS, { sessionId: ID, counter: 1 });
      assert.equal(await decodeRefreshToken(KEYS, change(token)), undefined);
    });
  }

  it("of a key that was rotated out of first place is still good, of a removed one not", async () => {
    const [old, next] = ["o".repeat(32), "n".repeat(32)];
    const before = await ring(old).macs("refresh-token");
    const token = await encodeRefreshToken(before, { sessionId: ID, counter: 1 });
    const during = await ring(next, old).macs("refresh-token");
    assert.ok(await decodeRefreshToken(during, token));
    assert.notEqual(await encodeRefreshToken(during, { sessionId: ID, counter: 1 }), token);
    assert.equal(
      await decodeRefreshToken(await ring(next).macs("refresh-token"), token),
      undefined,
    );
  });

  it("is made with a key of its own purpose", async () => {
    const token = await encodeRefreshToken(KEYS, { sessionId: ID, counter: 1 });
    const others = await ring("a".repeat(32)).macs("email-code");
    assert.equal(await decodeRefreshToken(others, token), undefined);
  });

  for (const counter of [-1, 1.5, Number.NaN, 2 ** 31]) {
    it(`is not made of the counter ${counter}`, async () => {
      await assert.rejects(encodeRefreshToken(KEYS, { sessionId: ID, counter }), RangeError);
    });
  }
});
