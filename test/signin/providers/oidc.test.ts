import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from "jose";
import { utf8 } from "../../../shared/bytes.ts";
import { beginFlow, openCallback, refusalOf, signIn } from "../../support/signin/flows.ts";
import { ISSUER } from "../../support/signin/identity-provider.ts";
import { createTestSignin, type TestSignin } from "../../support/signin/signin.ts";

const OTHER = await generateKeyPair("RS256", { extractable: true });
const OTHER_JWK: JWK = {
  ...(await exportJWK(OTHER.publicKey)),
  kid: "key-2",
  alg: "RS256",
  use: "sig",
};
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

async function attempt(signin: TestSignin): Promise<Response> {
  const flow = await beginFlow(signin);
  signin.idp.takeRequests();
  return openCallback(signin, flow);
}

/** Refused, and nothing came of it: no session, no account, no call to UserInfo. */
async function assertRejected(
  signin: TestSignin,
  refusal = "403 identity_rejected",
): Promise<void> {
  const response = await attempt(signin);
  assert.equal(await refusalOf(response), refusal);
  assert.equal(
    response.headers.getSetCookie().some((cookie) => cookie.includes("_rt=rt1.")),
    false,
  );
  assert.deepEqual(await signin.rows("SELECT 1 FROM users UNION ALL SELECT 1 FROM sessions"), []);
  assert.equal(
    signin.idp.takeRequests().some((request) => request.includes("userinfo")),
    false,
  );
}

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
    "with a critical header that nobody knows": (payload) =>
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

describe("an ID token is accepted", () => {
  it("with an audience that is a list of one, and an azp that is this client", async () => {
    await using signin = await createTestSignin();
    signin.idp.claims = { aud: ["oidc-client"], azp: "oidc-client" };
    assert.equal((await attempt(signin)).status, 302);
  });

  it("without a key id where there is one key", async () => {
    await using signin = await createTestSignin();
    const { kid, ...bare } = OTHER_JWK;
    signin.idp.jwks = { keys: [bare] };
    signin.idp.signIdToken = (payload) =>
      new SignJWT(payload).setProtectedHeader({ alg: "RS256" }).sign(OTHER.privateKey);
    assert.equal((await attempt(signin)).status, 302);
  });

  it("without following aggregated or distributed claims", async () => {
    await using signin = await createTestSignin();
    signin.idp.claims = {
      _claim_names: { email: "a", address: "b" },
      _claim_sources: { a: { endpoint: "https://evil.example.test/claims" }, b: { JWT: "a.b.c" } },
    };
    assert.equal((await attempt(signin)).status, 302);
    assert.equal(
      signin.idp.takeRequests().some((request) => request.includes("evil")),
      false,
    );
  });
});

describe("an address of the OpenID Connect provider", () => {
  const unverified: unknown[] = [false, undefined, null, "TRUE", 1, "false", ["true"]];
  for (const value of unverified) {
    it(`with email_verified ${JSON.stringify(value)} establishes no account`, async () => {
      await using signin = await createTestSignin();
      signin.idp.claims = { email_verified: value };
      await assertRejected(signin, "403 email_unverified");
    });
  }

  it('with the text "true", as Apple and Cognito send it, is verified', async () => {
    await using signin = await createTestSignin();
    signin.idp.claims = { email_verified: "true" };
    assert.equal((await signIn(signin)).user.email, "ada@example.test");
  });

  for (const email of [
    "",
    "not an address",
    5,
    ["a@example.test"],
    "a@example.test\nBcc: b@example.test",
  ]) {
    it(`that is ${JSON.stringify(email)} establishes no account`, async () => {
      await using signin = await createTestSignin();
      signin.idp.claims = { email };
      await assertRejected(signin, "403 email_unverified");
    });
  }

  it("comes from UserInfo, with the bearer in the header, where the ID token has none", async () => {
    await using signin = await createTestSignin();
    signin.idp.claims = { email: undefined, email_verified: undefined };
    let authorization: string | null = null;
    signin.idp.intercept = (request) => {
      if (request.url.startsWith(`${ISSUER}/userinfo`)) {
        authorization = request.headers.get("authorization");
        assert.equal(new URL(request.url).search, "");
      }
      return undefined;
    };
    const { user } = await signIn(signin);
    assert.equal(user.email, "1001@userinfo.example.test");
    assert.match(authorization ?? "", /^Bearer op-token-/);
  });

  const answers: Record<string, [answer: () => Response, refusal: string]> = {
    "of another subject": [
      () => Response.json({ sub: "666", email: "a@b.test", email_verified: true }),
      "403 identity_rejected",
    ],
    "without a subject": [
      () => Response.json({ email: "a@b.test", email_verified: true }),
      "403 identity_rejected",
    ],
    unverified: [() => Response.json({ sub: "1001", email: "a@b.test" }), "403 email_unverified"],
    "a redirect": [
      () => new Response(null, { status: 302, headers: { location: "https://evil.test" } }),
      "502 provider_error",
    ],
    "an error": [() => new Response(null, { status: 500 }), "502 provider_error"],
    "no JSON": [() => new Response("<html>"), "502 provider_error"],
  };
  for (const [name, [answer, refusal]] of Object.entries(answers)) {
    it(`from UserInfo that is ${name} signs nobody in`, async () => {
      await using signin = await createTestSignin();
      signin.idp.claims = { email: undefined, email_verified: undefined };
      signin.idp.intercept = (request) => (request.url.includes("userinfo") ? answer() : undefined);
      assert.equal(await refusalOf(await attempt(signin)), refusal);
      assert.deepEqual(await signin.rows("SELECT 1 FROM users"), []);
    });
  }
});

describe("the provider's keys", () => {
  it("are asked for once for many sign-ins", async () => {
    await using signin = await createTestSignin();
    for (let at = 0; at < 3; at += 1) await signIn(signin);
    const asked = signin.idp.takeRequests();
    assert.equal(asked.filter((request) => request.endsWith("/jwks")).length, 1);
    assert.equal(asked.filter((request) => request.includes("well-known")).length, 1);
  });

  it("are asked for again when a new one signs", async () => {
    await using signin = await createTestSignin();
    await signIn(signin);
    signin.idp.jwks = { keys: [OTHER_JWK] };
    signin.idp.signIdToken = (payload) =>
      new SignJWT(payload)
        .setProtectedHeader({ alg: "RS256", kid: "key-2" })
        .sign(OTHER.privateKey);
    assert.equal((await attempt(signin)).status, 302);
  });

  it("are asked for at most every five seconds by unknown keys", async () => {
    await using signin = await createTestSignin();
    await signIn(signin);
    signin.idp.takeRequests();
    const good = signin.idp.signIdToken;
    signin.idp.signIdToken = (payload) =>
      new SignJWT(payload)
        .setProtectedHeader({ alg: "RS256", kid: "key-9" })
        .sign(OTHER.privateKey);
    const jwksRequests = async () => {
      for (let at = 0; at < 3; at += 1) {
        const flow = await beginFlow(signin);
        assert.equal((await openCallback(signin, flow)).status, 403);
      }
      return signin.idp.takeRequests().filter((request) => request.endsWith("/jwks")).length;
    };
    assert.equal(await jwksRequests(), 1);
    assert.equal(await jwksRequests(), 0);
    signin.deps.clock.advance(5_000);
    assert.equal(await jwksRequests(), 1);
    signin.idp.signIdToken = good;
    await signIn(signin);
  });

  it("that are not to be had sign nobody in", async () => {
    await using signin = await createTestSignin();
    signin.idp.intercept = (request) =>
      request.url.endsWith("/jwks") ? new Response(null, { status: 503 }) : undefined;
    assert.equal(await refusalOf(await attempt(signin)), "502 provider_error");
    signin.idp.intercept = undefined;
    signin.deps.clock.advance(10_000);
    await signIn(signin);
  });
});

describe("the provider's metadata", () => {
  const metadata = (changes: object) => () =>
    Response.json({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/authorize`,
      token_endpoint: `${ISSUER}/token`,
      jwks_uri: `${ISSUER}/jwks`,
      ...changes,
    });
  const cases: Record<string, () => Response> = {
    "of another issuer": metadata({ issuer: "https://evil.example.test" }),
    "without an issuer": metadata({ issuer: undefined }),
    "without a token endpoint": metadata({ token_endpoint: undefined }),
    "without keys": metadata({ jwks_uri: undefined }),
    "with a plain token endpoint": metadata({ token_endpoint: "http://op.example.test/token" }),
    "with a script for a page": metadata({ authorization_endpoint: "javascript:alert(1)" }),
    "that are no JSON": () => new Response("<html>"),
    "that are too large": () => Response.json({ issuer: ISSUER, filler: "x".repeat(300_000) }),
    "behind a redirect": () =>
      new Response(null, { status: 307, headers: { location: "https://evil.test" } }),
    "that are an error": () => new Response(null, { status: 404 }),
  };
  for (const [name, answer] of Object.entries(cases)) {
    it(`${name} begin no sign-in, and are kept for ten seconds only`, async () => {
      await using signin = await createTestSignin();
      signin.idp.intercept = (request) =>
        request.url.includes("well-known") ? answer() : undefined;
      assert.equal(
        await refusalOf(await signin.call("GET", "/auth/google/login")),
        "502 provider_error",
      );
      signin.idp.intercept = undefined;
      signin.deps.clock.advance(10_000);
      assert.equal((await signin.call("GET", "/auth/google/login")).status, 302);
    });
  }

  it("that promise an issuer in the callback make it needed (RFC 9207)", async () => {
    await using signin = await createTestSignin();
    signin.idp.intercept = (request) =>
      request.url.includes("well-known")
        ? metadata({ authorization_response_iss_parameter_supported: true })()
        : undefined;
    await assertRejected(signin);
    const flow = await beginFlow(signin);
    const callback = `${await signin.idp.authorize(flow.url)}&iss=${encodeURIComponent(ISSUER)}`;
    assert.equal((await signin.call("GET", callback, { cookie: flow.cookie })).status, 302);
  });

  it("are read again after an hour", async () => {
    await using signin = await createTestSignin();
    await signIn(signin);
    signin.idp.takeRequests();
    signin.deps.clock.advance(3_600_000);
    await signIn(signin);
    assert.ok(signin.idp.takeRequests().some((request) => request.includes("well-known")));
  });
});

describe("the token endpoint", () => {
  it("is asked with the secret in the Basic header, and never in the body", async () => {
    await using signin = await createTestSignin();
    let seen: { authorization: string | null; body: string } | undefined;
    signin.idp.intercept = async (request) => {
      if (request.url.endsWith("/token")) {
        seen = { authorization: request.headers.get("authorization"), body: await request.text() };
        assert.match(request.headers.get("user-agent") ?? "", /./);
        assert.equal(request.redirect, "manual");
      }
      return undefined;
    };
    await signIn(signin);
    assert.equal(atob(seen?.authorization?.slice(6) ?? ""), "oidc-client:oidc-secret-canary-1f0a");
    assert.doesNotMatch(seen?.body ?? "", /secret/);
    assert.match(seen?.body ?? "", /code_verifier=[\w-]{43}/);
  });

  const answers: Record<string, [answer: () => Response, refusal: string]> = {
    "a redirect": [
      () => new Response(null, { status: 307, headers: { location: "https://evil.test" } }),
      "502 provider_error",
    ],
    "an error of its own": [() => new Response(null, { status: 500 }), "502 provider_error"],
    "a refused client": [
      () => Response.json({ error: "invalid_client" }, { status: 401 }),
      "502 provider_error",
    ],
    "a refused code": [
      () => Response.json({ error: "invalid_grant", hint: "canary" }, { status: 400 }),
      "403 identity_rejected",
    ],
    "no JSON": [() => new Response("<html>canary"), "502 provider_error"],
    nothing: [() => new Response(""), "502 provider_error"],
    "a list": [() => Response.json([]), "403 identity_rejected"],
    "no ID token": [
      () => Response.json({ access_token: "a", token_type: "bearer" }),
      "403 identity_rejected",
    ],
    "no access token": [
      () => Response.json({ token_type: "bearer", id_token: "a.b.c" }),
      "403 identity_rejected",
    ],
    "another token type": [
      () => Response.json({ access_token: "a", token_type: "mac", id_token: "a.b.c" }),
      "403 identity_rejected",
    ],
    "too much": [() => Response.json({ filler: "x".repeat(300_000) }), "502 provider_error"],
  };
  for (const [name, [answer, refusal]] of Object.entries(answers)) {
    it(`that answers ${name} signs nobody in`, async () => {
      await using signin = await createTestSignin();
      signin.idp.intercept = (request) => (request.url.endsWith("/token") ? answer() : undefined);
      const response = await attempt(signin);
      const text = await response.clone().text();
      assert.equal(await refusalOf(response), refusal);
      assert.doesNotMatch(text + signin.logged.join(), /canary/);
      assert.deepEqual(await signin.rows("SELECT 1 FROM users"), []);
    });
  }

  it("that cannot be reached is 502", async () => {
    await using signin = await createTestSignin();
    signin.idp.intercept = (request) =>
      request.url.endsWith("/token") ? Promise.reject(new TypeError("canary")) : undefined;
    const response = await attempt(signin);
    assert.equal(await refusalOf(response), "502 provider_unavailable");
    assert.doesNotMatch(signin.logged.join(), /canary/);
  });
});
