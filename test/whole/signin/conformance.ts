import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { freePort } from "../../support/fake-server.ts";
import {
  createProviderKey,
  type Hostility,
  publicKeyText,
  signWithText,
  unsignedToken,
} from "../../support/signin/adversarial-provider.ts";
import { SigninHarness } from "../../support/signin/harness.ts";
import {
  assertOidcAccepted,
  assertOidcRefused,
  assertSafe,
} from "../../support/signin/refusals.ts";
import type { SigninRuntime } from "../../support/signin/runtimes.ts";
import { machineTimeSec } from "../../support/time.ts";
import { startHonestProvider } from "./oidc-provider.ts";

type Knobs = (harness: SigninHarness) => Hostility | Promise<Hostility>;
/** A module of the OpenID Foundation's suites for relying parties: refused or accepted. */
type Module = [name: string, expectation: "accepted" | "refused", knobs: Knobs];

const without = (name: string) => (claims: Record<string, unknown>) => {
  const { [name]: _, ...rest } = claims;
  return rest;
};
const withClaims = (more: Record<string, unknown>) => (claims: Record<string, unknown>) => ({
  ...claims,
  ...more,
});

const BASIC: Module[] = [
  ["oidcc-client-test", "accepted", () => ({})],
  [
    "oidcc-client-test-invalid-iss",
    "refused",
    () => ({ claims: withClaims({ iss: "https://evil.example" }) }),
  ],
  ["oidcc-client-test-missing-sub", "refused", () => ({ claims: without("sub") })],
  ["oidcc-client-test-invalid-aud", "refused", () => ({ claims: withClaims({ aud: "another" }) })],
  ["oidcc-client-test-missing-iat", "refused", () => ({ claims: without("iat") })],
  ["oidcc-client-test-kid-absent-single-jwks", "accepted", () => ({ header: { kid: undefined } })],
  ["oidcc-client-test-idtoken-sig-rs256", "accepted", () => ({})],
  [
    "oidcc-client-test-idtoken-sig-none",
    "refused",
    () => ({ idToken: (_token, claims) => unsignedToken(claims) }),
  ],
  [
    "oidcc-client-test-invalid-sig-rs256",
    "refused",
    () => ({ idToken: (token) => token.replace(/.{8}$/, "AAAAAAAA") }),
  ],
  [
    "oidcc-client-test-nonce-invalid",
    "refused",
    () => ({ claims: withClaims({ nonce: "not-the-nonce-of-this-flow" }) }),
  ],
  ["oidcc-client-test-missing-aud", "refused", () => ({ claims: without("aud") })],
  [
    "oidcc-client-test-invalid-sig-hs256",
    "refused",
    (w) => ({
      idToken: (_token, claims) =>
        signWithText(new TextEncoder().encode(w.oidc.clientSecret), claims),
    }),
  ],
  [
    "oidcc-client-test-invalid-sig-hs256, with the public key as the secret",
    "refused",
    (w) => ({
      idToken: async (_token, claims) =>
        signWithText(await publicKeyText(w.oidc.keys[0]!), claims, { kid: w.oidc.keys[0]!.kid }),
    }),
  ],
  [
    "oidcc-client-test-invalid-athash",
    "refused",
    () => ({ claims: withClaims({ at_hash: "AAAAAAAAAAAAAAAAAAAAAA" }) }),
  ],
  [
    "fapi: invalid-expired-exp",
    "refused",
    () => ({ claims: withClaims({ iat: machineTimeSec() - 400, exp: machineTimeSec() - 120 }) }),
  ],
  ["fapi: invalid-missing-exp", "refused", () => ({ claims: without("exp") })],
  ["fapi: invalid-missing-iss", "refused", () => ({ claims: without("iss") })],
  ["fapi: invalid-missing-nonce", "refused", () => ({ claims: without("nonce") })],
  [
    "fapi: invalid-secondary-aud",
    "refused",
    (w) => ({ claims: withClaims({ aud: [w.oidc.clientId, "another"] }) }),
  ],
  [
    "fapi: valid-aud-as-array",
    "accepted",
    (w) => ({ claims: withClaims({ aud: [w.oidc.clientId] }) }),
  ],
  [
    "fapi: iat-is-week-in-past",
    "refused",
    () => ({ claims: withClaims({ iat: machineTimeSec() - 7 * 86_400 }) }),
  ],
  [
    "fapi: invalid-null-alg",
    "refused",
    () => ({
      idToken: (_token, claims) => {
        const header = Buffer.from(JSON.stringify({ alg: null })).toString("base64url");
        return `${header}.${unsignedToken(claims).split(".")[1]}.`;
      },
    }),
  ],
  [
    "fapi: no-scope-in-token-endpoint-response",
    "accepted",
    () => ({ tokenAnswer: without("scope") }),
  ],
  [
    "fapi: token-endpoint-response-without-expires_in",
    "accepted",
    () => ({ tokenAnswer: without("expires_in") }),
  ],
  [
    "fapi: token-type-case-insensitivity",
    "accepted",
    () => ({ tokenAnswer: withClaims({ token_type: "bEaReR" }) }),
  ],
  [
    "fapi: invalid-authorization-response-iss",
    "refused",
    () => ({ callback: (query) => query.set("iss", "https://evil.example") }),
  ],
  [
    "fapi: remove-authorization-response-iss",
    "refused",
    () => ({ callback: (query) => query.delete("iss") }),
  ],
  [
    "fapi: ensure-authorization-response-with-invalid-state-fails",
    "refused",
    () => ({ callback: (query) => query.set("state", "A".repeat(43)) }),
  ],
  [
    "fapi: invalid-missing-state-fails",
    "refused",
    () => ({ callback: (query) => query.delete("state") }),
  ],
];

/** The conformance table of docs/contract/signin.md: one test a row. */
export function conformanceTests(harness: () => SigninHarness, runtime: SigninRuntime): void {
  describe("OpenID conformance", () => {
    for (const [name, expectation, knobs] of BASIC) {
      it(`${name}: ${expectation}`, async () => {
        const w = harness();
        w.newOidcPerson();
        const hostility = await knobs(w);
        if (expectation === "accepted") await assertOidcAccepted(w, hostility);
        else await assertOidcRefused(w, hostility);
      });
    }

    it("oidcc-client-test-scope-userinfo-claims: openid, email and profile are asked for", async () => {
      const authorize = await harness().begin(harness().agent(), "google");
      assert.equal(authorize.searchParams.get("scope"), "openid email profile");
      assert.equal(authorize.searchParams.get("response_type"), "code");
    });

    it("oidcc-client-test-client-secret-basic: the secret goes in the header, and nowhere else", async () => {
      const w = harness();
      w.newOidcPerson();
      const agent = w.agent();
      const callback = await w.consent(await w.begin(agent, "google"));
      w.oidc.takeRequests();
      await agent.get(callback);
      const requests = w.oidc.takeRequests();
      const token = requests.find(({ path }) => path === "/token");
      assert.match(token?.headers.get("authorization") ?? "", /^Basic /);
      assert.equal(token?.body.includes("client_secret"), false);
      assert.match(token?.body ?? "", /code_verifier=[A-Za-z0-9_-]{43,128}/);
      for (const { path, query, headers } of requests) {
        assert.equal(query.toString().includes(w.oidc.clientSecret), false, path);
        if (path !== "/token") assert.equal(headers.get("authorization"), null, path);
      }
    });

    it("oidcc-client-test-userinfo-bearer-header and -invalid-sub: UserInfo is asked where the ID token has no email, and believed for its own subject alone", async () => {
      const w = harness();
      w.newOidcPerson();
      const noEmail = (claims: Record<string, unknown>) =>
        without("email")(without("email_verified")(claims));
      const agent = w.agent();
      using _ = w.oidc.use({ claims: noEmail });
      const callback = await w.consent(await w.begin(agent, "google"));
      w.oidc.takeRequests();
      const answer = await agent.get(callback);
      assert.equal(answer.status, 302, answer.text);
      const asked = w.oidc.takeRequests().filter(({ path }) => path === "/userinfo");
      assert.equal(asked.length, 1);
      assert.match(asked[0]?.headers.get("authorization") ?? "", /^Bearer adversarial-access-/);
      assert.equal(asked[0]?.query.size, 0);
      w.newOidcPerson();
      const userInfo = withClaims({ sub: "another-subject" });
      await assertSafe(w, async () => {
        using _ = w.oidc.use({ claims: noEmail, userInfo });
        const other = w.agent();
        return await other.get(await w.consent(await w.begin(other, "google")));
      });
    });

    it("oidcc-client-test-userinfo-signed: a signed answer, which was not requested, is refused", async () => {
      const w = harness();
      w.newOidcPerson();
      const headers = { "Content-Type": "application/jwt" };
      const hostility: Hostility = {
        claims: without("email"),
        userInfo: (claims) => new Response(unsignedToken(claims), { headers }),
      };
      await assertSafe(w, async () => {
        using _ = w.oidc.use(hostility);
        const agent = w.agent();
        return await agent.get(await w.consent(await w.begin(agent, "google")));
      });
    });

    it("oidcc-client-test-aggregated-claims and -distributed-claims: foreign sources are never fetched", async () => {
      const w = harness();
      w.newOidcPerson();
      const sources = {
        _claim_names: { email: "src1", address: "src2" },
        _claim_sources: {
          src1: { endpoint: `${w.github.url}/claims`, access_token: "x" },
          src2: { JWT: unsignedToken({ address: "y" }) },
        },
      };
      w.github.takeRequests();
      await assertOidcAccepted(w, { claims: withClaims(sources) });
      w.newOidcPerson();
      await assertSafe(w, async () => {
        using _ = w.oidc.use({
          claims: (claims) => ({ ...without("email")(claims), ...sources }),
          userInfo: (claims) => ({ ...without("email")(claims), ...sources }),
        });
        const agent = w.agent();
        return await agent.get(await w.consent(await w.begin(agent, "google")));
      });
      assert.deepEqual(w.github.takeRequests(), []);
    });
  });

  keyTests(runtime);
  if (runtime.name === "node") honestTests(runtime);
}

/** How often a busy machine rotates its keys before two sign-ins come within JWKS_REFETCH_SEC. */
const ROTATIONS_MAX = 5;

/** Keys and metadata are kept for a while: these need servers that have not seen any yet. */
function keyTests(runtime: SigninRuntime): void {
  describe("OpenID conformance: metadata and keys", () => {
    it("oidcc-client-test-discovery-openid-config, -discovery-jwks-uri-keys, -signing-key-rotation, and rotation just before signing", async () => {
      await using w = await SigninHarness.open(runtime);
      const signIn = async () => {
        w.newOidcPerson();
        await assertOidcAccepted(w, {});
      };
      w.oidc.discovery = (document) => ({
        ...document,
        jwks_uri: `${w.oidc.url}/jwks?elsewhere=1`,
      });
      await w.begin(w.agent(), "google");
      const paths = w.oidc.takeRequests().map(({ path }) => path);
      assert.deepEqual(paths, ["/.well-known/openid-configuration"]);
      await signIn();
      w.oidc.keys = [await createProviderKey()];
      await signIn();
      // Once more at once: a refetch for every unknown key would let a liar drive our requests.
      let outcome: PromiseSettledResult<unknown>;
      let rotations = 0;
      do {
        rotations += 1;
        w.oidc.keys = [await createProviderKey()];
        w.newOidcPerson();
        [outcome] = await Promise.allSettled([assertOidcRefused(w, {})]);
      } while (outcome.status === "rejected" && rotations < ROTATIONS_MAX);
      if (outcome.status === "rejected") throw outcome.reason;
    });

    it("oidcc-client-test-kid-absent-multiple-jwks, -invalid-sig-es256, foreign, small and alternate keys: refused", async () => {
      await using w = await SigninHarness.open(runtime);
      const own = w.oidc.keys[0]!;
      const others = await Promise.all(
        ["RS256", "ES256", "RS512", "PS256"].map((alg) => createProviderKey(alg)),
      );
      w.oidc.keys = [own, ...others];
      const refused: Hostility[] = [
        { header: { kid: undefined } },
        ...others.slice(1).map((key) => ({ key })),
        // Under a kid that is published, by a key that is not.
        { key: { ...(await createProviderKey()), kid: own.kid } },
        { header: { jwk: own.jwk }, key: { ...(await createProviderKey()), kid: own.kid } },
      ];
      for (const hostility of refused) {
        w.newOidcPerson();
        await assertOidcRefused(w, hostility);
      }
      w.newOidcPerson();
      await assertOidcAccepted(w, { key: others[0]! });
    });

    it("oidcc-client-test-discovery-issuer-mismatch: nothing begins", async () => {
      await using w = await SigninHarness.open(runtime);
      w.oidc.discovery = (document) => ({ ...document, issuer: "https://evil.example" });
      await assertSafe(w, () => w.agent().get("/auth/google/login"), [502]);
    });
  });
}

/** panva's provider, an independent implementation. */
function honestTests(runtime: SigninRuntime): void {
  describe("an honest, independent provider", () => {
    for (const claimsFromUserInfo of [false, true]) {
      it(`signs a person in, with the address in ${claimsFromUserInfo ? "UserInfo" : "the ID token"}`, async () => {
        const port = await freePort();
        const baseUrl = `http://127.0.0.1:${port}`;
        await using provider = await startHonestProvider({
          redirectUris: [`${baseUrl}/auth/google/callback`],
          claimsFromUserInfo,
        });
        await using w = await SigninHarness.open(runtime, {
          APP_BASE_URL: baseUrl,
          SIGNIN_PORT: String(port),
          OIDC_PROVIDER_ISSUER: provider.issuer,
          OIDC_PROVIDER_CLIENT_ID: provider.clientId,
          OIDC_PROVIDER_CLIENT_SECRET: provider.clientSecret,
        });
        const agent = w.agent();
        const authorize = await w.begin(agent, "google");
        const answer = await agent.get(await provider.logIn(authorize.href, "alice"));
        assert.equal(answer.status, 302, answer.text);
        const { user } = await w.refreshByCookie(agent);
        assert.equal(user.email, "alice@example.test");
      });
    }
  });
}
