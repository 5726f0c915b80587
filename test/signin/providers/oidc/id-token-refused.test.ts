// Slow: it makes keys of many kinds.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from "jose";
import { utf8 } from "../../../../shared/bytes.ts";
import { assertRejected, OTHER, OTHER_JWK } from "../../../support/signin/flows.ts";
import { ISSUER } from "../../../support/signin/identity-provider.ts";
import { createTestSignin } from "../../../support/signin/signin.ts";

const EC = await generateKeyPair("ES256", { extractable: true });

const WEAK = (await crypto.subtle.generateKey(
  {
    name: "RSASSA-PKCS1-v1_5",
    modulusLength: 1024,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: "SHA-256",
  },
  true,
  ["sign", "verify"],
)) as CryptoKeyPair;

const WEAK_JWK = {
  ...((await crypto.subtle.exportKey("jwk", WEAK.publicKey)) as JWK),
  kid: "weak",
};

const NOW = Math.floor(Date.parse("2026-01-02T03:04:05.000Z") / 1000);

describe("an ID token is refused", () => {
  const claims: Record<string, Record<string, unknown>> = {
    "of another issuer": { iss: "https://evil.example.test" },
    "of the issuer with a slash": { iss: `${ISSUER}/` },
    "without an issuer": { iss: undefined },
    "for another audience": { aud: "other-client" },
    "for a second audience": { aud: ["oidc-client", "other-client"] },
    "without an audience": { aud: undefined },
    "with another azp": { azp: "other-client" },
    "without a subject": { sub: undefined },
    "with an empty subject": { sub: "" },
    "with a subject that is a number": { sub: 1001 },
    "with a very long subject": { sub: "s".repeat(256) },
    "without iat": { iat: undefined },
    "with an iat of the future": { iat: NOW + 120, exp: NOW + 600 },
    "with an iat of last week": { iat: NOW - 604_800 },
    "with an iat that is a text": { iat: String(NOW) },
    "without exp": { exp: undefined },
    "with an exp of the past": { iat: NOW - 500, exp: NOW - 100 },
    "with an exp years away": { exp: NOW + 10 ** 8 },
    "with an exp that is a text": { exp: String(NOW + 300) },
    "with an nbf of the future": { nbf: NOW + 600 },
    "without the nonce": { nonce: undefined },
    "with another nonce": { nonce: "another" },
    "with a nonce that is a list": { nonce: ["another"] },
    "with a wrong at_hash": { at_hash: "AAAAAAAAAAAAAAAAAAAAAA" },
  };
  for (const [name, changes] of Object.entries(claims)) {
    it(name, async () => {
      await using signin = await createTestSignin();
      signin.idp.claims = changes;
      await assertRejected(signin);
    });
  }

  type Sign = (claims: Record<string, unknown>) => string | Promise<string>;
  const signatures: Record<string, Sign> = {
    "that is not signed": (payload) => new UnsecuredJWT(payload).encode(),
    "whose header says none": (payload) =>
      `${btoa('{"alg":"none","kid":"key-1"}').replace(/=+$/, "")}.${btoa(JSON.stringify(payload)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}.`,
    "signed with a foreign key": (payload) =>
      new SignJWT(payload)
        .setProtectedHeader({ alg: "RS256", kid: "key-1" })
        .sign(OTHER.privateKey),
    "signed with HS256 and the client's secret": (payload) =>
      new SignJWT(payload)
        .setProtectedHeader({ alg: "HS256", kid: "key-1" })
        .sign(utf8("oidc-secret-canary-1f0a-long-enough-for-it")),
    "signed with ES256": (payload) =>
      new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid: "ec" }).sign(EC.privateKey),
    "signed with RS512": async (payload) => {
      const pair = await generateKeyPair("RS512", { extractable: true });
      return new SignJWT(payload)
        .setProtectedHeader({ alg: "RS512", kid: "key-1" })
        .sign(pair.privateKey);
    },
    "of an unknown key": (payload) =>
      new SignJWT(payload)
        .setProtectedHeader({ alg: "RS256", kid: "key-9" })
        .sign(OTHER.privateKey),
    "that brings its own key": async (payload) =>
      new SignJWT(payload)
        .setProtectedHeader({ alg: "RS256", jwk: OTHER_JWK, jku: "https://evil.example.test/jwks" })
        .sign(OTHER.privateKey),
    "with a critical header that is unknown": (payload) =>
      new SignJWT(payload)
        .setProtectedHeader({ alg: "RS256", kid: "key-1", crit: ["x"], x: 1 })
        .sign(OTHER.privateKey, { crit: { x: false } }),
    "that is nonsense": () => "nonsense",
    "that is encrypted": () => "a.b.c.d.e",
    "that is empty": () => "",
  };
  for (const [name, sign] of Object.entries(signatures)) {
    it(name, async () => {
      await using signin = await createTestSignin();
      const { jwks } = signin.idp;
      signin.idp.jwks = { keys: [...jwks.keys, { ...(await exportJWK(EC.publicKey)), kid: "ec" }] };
      signin.idp.signIdToken = async (payload) => sign(payload);
      await assertRejected(signin);
      assert.equal(signin.logged.join().includes("evil.example.test"), false);
    });
  }

  it("with a changed signature", async () => {
    await using signin = await createTestSignin();
    const sign = signin.idp.signIdToken;
    signin.idp.signIdToken = async (payload) =>
      (await sign(payload)).replace(/.{8}$/, (tail) =>
        tail === "AAAAAAAA" ? "BBBBBBBB" : "AAAAAAAA",
      );
    await assertRejected(signin);
  });

  it("with a changed payload", async () => {
    await using signin = await createTestSignin();
    const sign = signin.idp.signIdToken;
    signin.idp.signIdToken = async (payload) => {
      const [head, , tail] = (await sign(payload)).split(".");
      const forged = btoa(JSON.stringify({ ...payload, sub: "admin" }));
      return `${head}.${forged.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}.${tail}`;
    };
    await assertRejected(signin);
  });

  it("of an RSA key under 2048 bits", async () => {
    await using signin = await createTestSignin();
    signin.idp.jwks = { keys: [WEAK_JWK] };
    signin.idp.signIdToken = async (payload) => {
      const text = (value: object) =>
        btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
      const data = `${text({ alg: "RS256", kid: "weak" })}.${text(payload)}`;
      const signature = await crypto.subtle.sign("RSASSA-PKCS1-v1_5", WEAK.privateKey, utf8(data));
      return `${data}.${Buffer.from(signature).toString("base64url")}`;
    };
    await assertRejected(signin);
  });

  it("without a key id where there are several keys", async () => {
    await using signin = await createTestSignin();
    signin.idp.jwks = { keys: [...signin.idp.jwks.keys, OTHER_JWK] };
    signin.idp.signIdToken = (payload) =>
      new SignJWT(payload).setProtectedHeader({ alg: "RS256" }).sign(OTHER.privateKey);
    await assertRejected(signin);
  });
});
