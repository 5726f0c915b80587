import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { sha256, toHex, utf8 } from "../../../shared/bytes.ts";
import { randomBytes } from "../../../shared/random.ts";
import { createAccessTokens } from "../../../signin/tokens/access-token.ts";
import { createKeyring } from "../../../signin/tokens/keyring.ts";
import { TestClock } from "../../support/time.ts";

const SECRET = "s".repeat(32);
const config = {
  baseUrl: "https://auth.example.test",
  accessTokenAudience: "signin",
  signingAlgorithm: "HS256" as const,
};
const CLAIMS = { userId: "user-1", sessionId: "session-1" };
const SESSION = { ...CLAIMS, authTime: 1_767_000_000, amr: "pwd otp mfa" };

function create(...secrets: string[]) {
  const clock = new TestClock();
  const keyring = createKeyring({
    ...config,
    signingKeys: (secrets.length > 0 ? secrets : [SECRET]).map(utf8),
    encryptionKeys: [new Uint8Array(32)],
  });
  return { clock, tokens: createAccessTokens({ config, keyring, clock, random: randomBytes }) };
}

describe("an access token", () => {
  it("says who issued it, for whom, for which session, and for ten minutes", async () => {
    const { clock, tokens } = create();
    const token = await tokens.issue(SESSION);
    const now = clock.now() / 1000;
    assert.deepEqual(decodeProtectedHeader(token), { alg: "HS256", typ: "at+jwt", kid: KID });
    const { jti, ...payload } = decodeJwt(token);
    assert.match(String(jti), /^[A-Za-z0-9_-]{22}$/);
    assert.deepEqual(payload, {
      iss: "https://auth.example.test",
      aud: "signin",
      sub: "user-1",
      sid: "session-1",
      auth_time: SESSION.authTime,
      amr: ["pwd", "otp", "mfa"],
      iat: now,
      exp: now + 600,
    });
    assert.deepEqual(await tokens.verify(token), CLAIMS);
  });

  it("has no amr if no value of RFC 8176 applies, never an empty one", async () => {
    const token = await create().tokens.issue({ ...SESSION, amr: null });
    assert.equal("amr" in decodeJwt(token), false);
  });

  it("ends after ten minutes and the tolerance, remembered or not", async () => {
    const { clock, tokens } = create();
    const remembered = await tokens.issue(SESSION);
    const fresh = await tokens.issue(SESSION);
    clock.advance(629_000);
    assert.ok(await tokens.verify(remembered));
    clock.advance(1_000);
    assert.equal(await tokens.verify(remembered), undefined);
    assert.equal(await tokens.verify(fresh), undefined);
  });

  it("of an older key is good while the key is listed", async () => {
    const old = create(SECRET);
    const token = await old.tokens.issue(SESSION);
    assert.ok(await create("n".repeat(32), SECRET).tokens.verify(token));
    assert.equal(await create("n".repeat(32)).tokens.verify(token), undefined);
  });
});

const KID = toHex(await sha256(SECRET)).slice(0, 8);
const PAIR = await generateKeyPair("RS256");

describe("what is no access token of this server", () => {
  const now = Math.floor(new TestClock().now() / 1000);
  const good = {
    sid: "session-1",
    sub: "user-1",
    iss: config.baseUrl,
    aud: "signin",
    iat: now,
    exp: now + 600,
  };
  const header = { alg: "HS256", typ: "at+jwt", kid: KID };
  const sign = (payload: object, changes: object = {}, secret = SECRET) =>
    new SignJWT({ ...payload }).setProtectedHeader({ ...header, ...changes }).sign(utf8(secret));

  it("would be one with nothing changed", async () => {
    assert.ok(await create().tokens.verify(await sign(good)));
  });

  const forgeries: Record<string, () => string | Promise<string>> = {
    "another key": () => sign(good, {}, "x".repeat(32)),
    "an empty key id": () => sign(good, { kid: "" }),
    "an unknown key id": () => sign(good, { kid: "00000000" }),
    "no key id": () => sign(good, { kid: undefined }),
    "another type": () => sign(good, { typ: "JWT" }),
    "no type": () => sign(good, { typ: undefined }),
    HS384: () => sign(good, { alg: "HS384" }, SECRET),
    HS512: () => sign(good, { alg: "HS512" }, SECRET),
    RS256: () =>
      new SignJWT(good).setProtectedHeader({ ...header, alg: "RS256" }).sign(PAIR.privateKey),
    "no signature": () => new UnsecuredJWT(good).setIssuer(config.baseUrl).encode(),
    "a stripped signature": async () => (await sign(good)).replace(/[^.]*$/, ""),
    "a changed payload": async () => {
      const [head, , tail] = (await sign(good)).split(".");
      return [head, btoa(JSON.stringify({ ...good, sub: "admin" })).replace(/=+$/, ""), tail].join(
        ".",
      );
    },
    "another issuer": () => sign({ ...good, iss: "https://evil.example.test" }),
    "another audience": () => sign({ ...good, aud: "other" }),
    "no expiry": () => sign({ ...good, exp: undefined }),
    "no subject": () => sign({ ...good, sub: undefined }),
    "no session": () => sign({ ...good, sid: undefined }),
    "a session that is no text": () => sign({ ...good, sid: { $ne: null } }),
    "a past expiry": () => sign({ ...good, exp: now - 31 }),
    "a start in the future": () => sign({ ...good, nbf: now + 120 }),
    "an empty text": () => "",
    "two dots": () => "..",
    "a refresh token": () => "rt1.AXpE10Rwl-vwIoAWOzVHhKYA",
    "a very long text": () => `${"a".repeat(3000)}.b.c`,
  };
  for (const [name, forge] of Object.entries(forgeries)) {
    it(`is a token with ${name}`, async () => {
      assert.equal(await create().tokens.verify(await forge()), undefined);
    });
  }
});
