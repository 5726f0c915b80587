import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BASE_URL, createTestSignin, TEST_ENV, UI_URL } from "../../support/signin/signin.ts";
import { toKeyPair } from "../../support/signin/verifier.ts";

const KEY_SET = "/.well-known/jwks.json";
const METADATA = "/.well-known/oauth-authorization-server";
const OLD = String(TEST_ENV.JWT_SECRET_KEY);
const NEW = "a3f1e2d3c4b5a69788796a5b4c3d2e1f0ffeeddccbbaa9988776655443322110";
const ANYWHERE = "https://somewhere.example";

describe("GET /.well-known/jwks.json", () => {
  it("has the public keys under EdDSA, the newest first, and no private member", async () => {
    await using app = await createTestSignin({
      JWT_SIGNING_ALG: "EdDSA",
      JWT_SECRET_KEY: `${NEW},${OLD}`,
    });
    const answer = await app.call("GET", KEY_SET);
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), { keys: [toKeyPair(NEW).jwk, toKeyPair(OLD).jwk] });
  });

  it("is empty under HS256", async () => {
    await using app = await createTestSignin();
    assert.deepEqual(await (await app.call("GET", KEY_SET)).json(), { keys: [] });
  });
});

describe("GET /.well-known/oauth-authorization-server", () => {
  const expected = {
    issuer: BASE_URL,
    token_endpoint: `${BASE_URL}/auth/native/token`,
    response_types_supported: [],
    code_challenge_methods_supported: ["S256"],
    service_documentation: `${BASE_URL}/openapi.json`,
  };

  it("says what is true, and nothing of keys under HS256", async () => {
    await using app = await createTestSignin();
    assert.deepEqual(await (await app.call("GET", METADATA)).json(), expected);
  });

  it("names the keys under EdDSA, and the documentation of DOCS_BASE_URL", async () => {
    await using app = await createTestSignin({
      JWT_SIGNING_ALG: "EdDSA",
      DOCS_BASE_URL: "https://docs.example.test/signin",
    });
    assert.deepEqual(await (await app.call("GET", METADATA)).json(), {
      ...expected,
      jwks_uri: BASE_URL + KEY_SET,
      service_documentation: "https://docs.example.test/signin",
    });
  });
});

describe("the documents for other services", () => {
  for (const path of [KEY_SET, METADATA]) {
    it(`${path} may be read by any origin and cached, without credentials`, async () => {
      await using app = await createTestSignin({ JWT_SIGNING_ALG: "EdDSA" });
      for (const origin of [undefined, ANYWHERE, UI_URL, "null"]) {
        const { status, headers } = await app.call("GET", path, { origin });
        assert.equal(status, 200);
        assert.equal(headers.get("access-control-allow-origin"), "*", origin);
        assert.equal(headers.get("access-control-allow-credentials"), null);
        assert.equal(headers.get("cache-control"), "public, max-age=600");
        assert.equal(headers.get("vary"), null);
        assert.match(headers.get("content-type") ?? "", /^application\/json/);
        assert.equal(headers.get("set-cookie"), null);
      }
    });

    it(`${path} may be asked for with headers of the client's own`, async () => {
      await using app = await createTestSignin();
      const { status, headers } = await app.call("OPTIONS", path, {
        origin: ANYWHERE,
        headers: {
          "access-control-request-method": "GET",
          "access-control-request-headers": "x-own",
        },
      });
      assert.equal(status, 204);
      assert.equal(headers.get("access-control-allow-origin"), "*");
      assert.equal(headers.get("access-control-allow-headers"), "x-own");
      assert.equal(headers.get("access-control-allow-methods"), "GET");
    });

    it(`${path} is for GET alone, and for the hosts of this server`, async () => {
      await using app = await createTestSignin();
      const answer = await app.call("POST", path);
      assert.equal(answer.status, 405);
      assert.match(answer.headers.get("allow") ?? "", /GET/);
      const elsewhere = await app.call("GET", `https://evil.example${path}`);
      assert.equal(elsewhere.status, 400);
    });
  }

  it("change nothing for other paths: an origin that is not listed reads nothing", async () => {
    await using app = await createTestSignin();
    const { headers } = await app.call("GET", "/health", { origin: ANYWHERE });
    assert.equal(headers.get("access-control-allow-origin"), null);
    assert.equal(headers.get("vary"), "Origin");
  });
});

describe("a request with an access token under the other algorithm", () => {
  it("is refused in the same words as any bad token", async () => {
    await using signing = await createTestSignin({ JWT_SIGNING_ALG: "EdDSA" });
    await using shared = await createTestSignin();
    const pair = toKeyPair(OLD);
    const iat = Math.floor(signing.deps.clock.now() / 1000);
    const claims = { iss: BASE_URL, aud: "signin", sub: "u", sid: "s", iat, exp: iat + 600 };
    const good = await pair.sign(claims);
    const bodyOf = async (app: typeof signing, bearer: string) => {
      const answer = await app.call("GET", "/auth/me", { bearer });
      const { request_id, ...body } = (await answer.json()) as Record<string, unknown>;
      return { status: answer.status, id: typeof request_id, ...body };
    };
    const refused = await bodyOf(shared, "not.a.token");
    assert.equal(refused.status, 401);
    assert.deepEqual(await bodyOf(shared, good), refused);
    // Its signature is good: only the session is missing.
    assert.notDeepEqual(await bodyOf(signing, good), refused);
  });
});
