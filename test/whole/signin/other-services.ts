import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import { createVerifier, TokenRejected } from "roundhouse/signin/verify";
import { SigninHarness } from "../../support/signin/harness.ts";
import { KEYS, type SigninRuntime } from "../../support/signin/runtimes.ts";
import { assertRefused } from "../../support/signin/user-agent.ts";
import { toKeyPair } from "../../support/signin/verifier.ts";

const NEW = "b7d1f0e4c2f76c58916ec258f246851bea091d14d4247a2fc3e18694461b1816";
const OLD = KEYS.JWT_SECRET_KEY;

/** Access tokens that other services verify, and what they must not allow. */
export function otherServiceTests(
  harnessOfSecret: () => SigninHarness,
  runtime: SigninRuntime,
): void {
  describe("access tokens under EdDSA", () => {
    let opened: SigninHarness | undefined;
    before(async () => {
      const keys = { JWT_SIGNING_ALG: "EdDSA", JWT_SECRET_KEY: `${NEW},${OLD}` };
      opened = await SigninHarness.open(runtime, keys);
      opened.secrets.add(NEW);
    });
    after(() => opened?.[Symbol.asyncDispose]());
    const harness = () => opened ?? assert.fail("The server did not start.");
    const issuer = () => harness().signin.baseUrl;

    it("F15 jose verifies them with the published keys, newest first, without a private member", async () => {
      const w = harness();
      const { access_token: token, user } = await w.openNativeSession();
      const keySet = createRemoteJWKSet(new URL(`${issuer()}/.well-known/jwks.json`));
      const expected = { issuer: issuer(), audience: "signin", typ: "at+jwt" };
      const { payload, protectedHeader } = await jwtVerify(token, keySet, expected);
      assert.equal(payload.sub, user.id);
      assert.deepEqual(protectedHeader, { alg: "EdDSA", typ: "at+jwt", kid: toKeyPair(NEW).kid });
      const answer = await w.agent().get("/.well-known/jwks.json");
      assert.deepEqual(answer.json(), { keys: [toKeyPair(NEW).jwk, toKeyPair(OLD).jwk] });
      assert.equal(answer.headers.get("access-control-allow-origin"), "*");
      assert.equal(answer.headers.get("cache-control"), "public, max-age=600");
    });

    it("F15 the verifier of this package finds the keys by the issuer alone", async () => {
      const w = harness();
      const { access_token: token, user } = await w.openNativeSession();
      const verify = createVerifier({ issuer: issuer(), audience: "signin" });
      const found = await verify(token);
      assert.equal(found.userId, user.id);
      assert.equal(found.expiresAt.getTime() - found.issuedAt.getTime(), 600_000);
      const elsewhere = createVerifier({ issuer: issuer(), audience: "engine" });
      await assert.rejects(
        elsewhere(token),
        (error) => error instanceof TokenRejected && error.reason === "audience",
      );
    });

    it("F16 a token of an older key is good while the key is listed", async () => {
      const w = harness();
      const { access_token: token } = await w.openNativeSession();
      const old = await toKeyPair(OLD).sign(decodeJwt(token));
      assert.equal((await w.me(old)).status, 200);
      const verify = createVerifier({ issuer: issuer(), audience: "signin" });
      assert.ok(await verify(old));
      const unlisted = await toKeyPair("x".repeat(64)).sign(decodeJwt(token));
      assertRefused(await w.me(unlisted), 401, "invalid_token");
    });

    it("F17 HS256 is refused: with the secret, with the public key, and with the key ids of both", async () => {
      const w = harness();
      const { access_token: token } = await w.openNativeSession();
      const pair = toKeyPair(NEW);
      const claims = decodeJwt(token);
      const shared = await harnessOfSecret().openNativeSession();
      const { kid: sharedKid } = decodeProtectedHeader(shared.access_token);
      const keys = [Buffer.from(NEW), Buffer.from(OLD), Buffer.from(pair.jwk.x, "base64url")];
      for (const key of [...keys, Buffer.from(pair.jwk.x), Buffer.from(JSON.stringify(pair.jwk))]) {
        for (const kid of [pair.kid, sharedKid]) {
          const header = { alg: "HS256", typ: "at+jwt", kid };
          const forged = await new SignJWT(claims).setProtectedHeader(header).sign(key);
          assertRefused(await w.me(forged), 401, "invalid_token");
        }
      }
      const none = `${btoa(JSON.stringify({ alg: "none", typ: "at+jwt", kid: pair.kid }))}.${token.split(".")[1]}.`;
      assertRefused(await w.me(none.replaceAll("=", "")), 401, "invalid_token");
    });

    it("F17 a server with HS256 refuses EdDSA with the same secret, and publishes no key", async () => {
      const w = harnessOfSecret();
      const { access_token: token } = await w.openNativeSession();
      const { kid } = decodeProtectedHeader(token);
      for (const header of [{}, { kid }]) {
        const forged = await toKeyPair(OLD).sign(decodeJwt(token), header);
        assertRefused(await w.me(forged), 401, "invalid_token");
      }
      assert.deepEqual((await w.agent().get("/.well-known/jwks.json")).json(), { keys: [] });
      const metadata = await w.agent().get("/.well-known/oauth-authorization-server");
      assert.equal("jwks_uri" in metadata.json(), false);
    });

    it("F18 refresh, revocation and logout work as with HS256", async () => {
      const w = harness();
      const first = await w.openNativeSession();
      const second = (await w.refresh(first.refresh_token)).json<typeof first>();
      assert.equal((await w.me(second.access_token)).status, 200);
      const out = await w
        .agent()
        .post("/auth/logout", { scope: "local" }, { bearer: second.access_token });
      assert.equal(out.status, 204);
      assertRefused(await w.me(second.access_token), 401, "session_expired");
    });
  });
}
