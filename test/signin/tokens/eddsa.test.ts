import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader, SignJWT } from "jose";
import { utf8 } from "../../../shared/bytes.ts";
import { randomBytes } from "../../../shared/random.ts";
import { createAccessTokens } from "../../../signin/tokens/access-token.ts";
import { createKeyring } from "../../../signin/tokens/keyring.ts";
import { toKeyPair } from "../../support/signin/verifier.ts";
import { TestClock } from "../../support/time.ts";

const SECRET = "s".repeat(32);
const NEW = "n".repeat(32);
const CLAIMS = { userId: "user-1", sessionId: "session-1" };
const SESSION = { ...CLAIMS, authTime: 1_767_000_000, amr: "pwd otp mfa" };
const PAIR = toKeyPair(SECRET);
const NOW = Math.floor(new TestClock().now() / 1000);
const PAYLOAD = {
  iss: "https://auth.example.test",
  aud: "signin",
  sub: "user-1",
  sid: "session-1",
  iat: NOW,
  exp: NOW + 600,
};

function create(signingAlgorithm: "HS256" | "EdDSA", ...secrets: string[]) {
  const config = { baseUrl: PAYLOAD.iss, accessTokenAudience: "signin", signingAlgorithm };
  const keyring = createKeyring({
    ...config,
    signingKeys: (secrets.length > 0 ? secrets : [SECRET]).map(utf8),
    encryptionKeys: [new Uint8Array(32)],
  });
  const parts = { config, keyring, clock: new TestClock(), random: randomBytes };
  return { keyring, tokens: createAccessTokens(parts) };
}

describe("an access token under EdDSA", () => {
  it("has exactly the decided header, and the claims of HS256", async () => {
    const { tokens } = create("EdDSA");
    const token = await tokens.issue(SESSION);
    const [header = ""] = token.split(".");
    const expected = `{"alg":"EdDSA","typ":"at+jwt","kid":"${PAIR.kid}"}`;
    assert.equal(Buffer.from(header, "base64url").toString(), expected);
    const { jti, ...payload } = decodeJwt(token);
    assert.deepEqual(payload, {
      ...PAYLOAD,
      auth_time: SESSION.authTime,
      amr: ["pwd", "otp", "mfa"],
    });
    assert.match(String(jti), /^[A-Za-z0-9_-]{22}$/);
    assert.deepEqual(await tokens.verify(token), CLAIMS);
  });

  it("is signed by the key pair that HKDF gives, and its key id is the thumbprint", async () => {
    const { keyring, tokens } = create("EdDSA", NEW, SECRET);
    const keys = await keyring.signingKeys();
    assert.deepEqual(
      keys.map(({ published }) => published),
      [toKeyPair(NEW).jwk, PAIR.jwk],
    );
    assert.equal(await calculateJwkThumbprint(PAIR.jwk), PAIR.kid);
    assert.deepEqual(await tokens.verify(await PAIR.sign(PAYLOAD)), CLAIMS);
  });

  it("of an older key is good while the key is listed", async () => {
    const token = await create("EdDSA", SECRET).tokens.issue(SESSION);
    const rotated = create("EdDSA", NEW, SECRET).tokens;
    assert.deepEqual(await rotated.verify(token), CLAIMS);
    assert.equal(decodeProtectedHeader(await rotated.issue(SESSION)).kid, toKeyPair(NEW).kid);
    assert.equal(await create("EdDSA", NEW).tokens.verify(token), undefined);
  });

  it("changed in any character is rejected", async () => {
    const { tokens } = create("EdDSA");
    const token = await tokens.issue(SESSION);
    const characters = fc.constantFrom(
      ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.= ",
    );
    const end = token.length - 1;
    const positions = fc.oneof(fc.integer({ min: 0, max: end }), fc.constant(end));
    await fc.assert(
      fc.asyncProperty(positions, characters, async (at, character) => {
        const mangled = token.slice(0, at) + character + token.slice(at + 1);
        fc.pre(mangled !== token);
        assert.equal(await tokens.verify(mangled), undefined);
      }),
      { numRuns: 300 },
    );
  });
});

describe("algorithm confusion", () => {
  const [header, payload] = [{ alg: "HS256", typ: "at+jwt" }, { ...PAYLOAD }];
  const hmac = (kid: string, key: Uint8Array) =>
    new SignJWT(payload).setProtectedHeader({ ...header, kid }).sign(key);
  const publicBytes = Buffer.from(PAIR.jwk.x, "base64url");
  const publicPem = Buffer.from(
    `-----BEGIN PUBLIC KEY-----\n${Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), publicBytes]).toString("base64")}\n-----END PUBLIC KEY-----\n`,
  );
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const none = (alg: unknown, kid = PAIR.kid) =>
    `${encode({ alg, typ: "at+jwt", kid })}.${encode(payload)}.`;

  const forEdDsa: [string, () => string | Promise<string>][] = [
    ["HS256 with the same secret", () => create("HS256").tokens.issue(SESSION)],
    ["HS256 with the same secret and the EdDSA key id", () => hmac(PAIR.kid, utf8(SECRET))],
    ["HS256 with the public key as the secret", () => hmac(PAIR.kid, publicBytes)],
    ["HS256 with the text of the public key", () => hmac(PAIR.kid, utf8(PAIR.jwk.x))],
    ["HS256 with the public key as PEM", () => hmac(PAIR.kid, publicPem)],
    ["HS256 with the public key as JSON", () => hmac(PAIR.kid, utf8(JSON.stringify(PAIR.jwk)))],
    ["alg none", () => none("none")],
    ["alg None", () => none("None")],
    ["no alg", () => none(undefined)],
    ["alg as a list", () => none(["EdDSA"])],
    ["an unknown key id", () => PAIR.sign(payload, { kid: "x".repeat(43) })],
    ["the key id of HS256", () => PAIR.sign(payload, { kid: "ac0b8e53" })],
    ["no key id", () => PAIR.sign(payload, { kid: undefined })],
    ["an empty key id", () => PAIR.sign(payload, { kid: "" })],
    ["__proto__ as the key id", () => PAIR.sign(payload, { kid: "__proto__" })],
    ["a path as the key id", () => PAIR.sign(payload, { kid: "../../dev/null" })],
    ["the key id of another key", () => PAIR.sign(payload, { kid: toKeyPair(NEW).kid })],
    ["a key in its header", () => toKeyPair(NEW).sign(payload, { jwk: toKeyPair(NEW).jwk })],
    [
      "the address of a key in its header",
      () => toKeyPair(NEW).sign(payload, { jku: "https://evil.example/jwks.json" }),
    ],
    ["another type", () => PAIR.sign(payload, { typ: "JWT" })],
  ];
  for (const [name, forge] of forEdDsa) {
    it(`a server with EdDSA refuses ${name}`, async () => {
      assert.equal(await create("EdDSA", SECRET).tokens.verify(await forge()), undefined);
    });
  }

  it("a server with EdDSA accepts the same token where nothing is changed", async () => {
    assert.deepEqual(await create("EdDSA").tokens.verify(await PAIR.sign(payload)), CLAIMS);
  });

  it("a server with HS256 refuses EdDSA, whatever the key id", async () => {
    const { keyring, tokens } = create("HS256");
    const [own] = await keyring.signingKeys();
    assert.ok(own);
    for (const kid of [PAIR.kid, own.id]) {
      assert.equal(await tokens.verify(await PAIR.sign(payload, { kid })), undefined);
    }
    assert.deepEqual(await tokens.verify(await hmac(own.id, utf8(SECRET))), CLAIMS);
  });
});
