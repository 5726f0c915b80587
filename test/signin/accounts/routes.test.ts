import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { link, refusalOf, signIn } from "../../support/signin/flows.ts";
import { createTestSignin } from "../../support/signin/signin.ts";

const NO_OAUTH = { OAUTH_PROVIDER_CLIENT_ID: "", OAUTH_PROVIDER_CLIENT_SECRET: "" };
const NO_OIDC = { OIDC_PROVIDER_CLIENT_ID: "", OIDC_PROVIDER_CLIENT_SECRET: "" };

describe("GET /auth/me", () => {
  it("tells the user and its connections, oldest first", async () => {
    await using signin = await createTestSignin();
    const { accessToken: bearer, user } = await signIn(signin);
    signin.deps.clock.advance(60_000);
    await link(signin, bearer);
    signin.deps.clock.advance(60_000);
    const body = { provider_slug: "gemini", api_key: "0123456789abcdef" };
    await signin.call("POST", "/auth/apikey", { bearer, body });
    const me = await signin.call("GET", "/auth/me", { bearer });
    assert.deepEqual(await me.json(), {
      id: user.id,
      email: "ada@example.test",
      display_name: "Ada Person",
      avatar_url: null,
      connected_providers: ["google", "github", "gemini"],
      has_password: false,
      connections: [
        { provider: "google", kind: "oidc", connected_at: "2026-01-02T03:04:05.000Z" },
        { provider: "github", kind: "oauth", connected_at: "2026-01-02T03:05:05.000Z" },
        {
          provider: "gemini",
          kind: "api_key",
          connected_at: "2026-01-02T03:06:05.000Z",
          hint: "****cdef",
        },
      ],
    });
  });

  it("says whether there is a password, and never more of it", async () => {
    await using signin = await createTestSignin();
    const { accessToken: bearer } = await signIn(signin);
    await signin.rows("UPDATE users SET password_hash = 'canary-hash'");
    const text = await (await signin.call("GET", "/auth/me", { bearer })).text();
    assert.equal(JSON.parse(text).has_password, true);
    assert.equal(text.includes("canary"), false);
  });
});

describe("GET /auth/providers", () => {
  const list = async (env: Record<string, string>, provider: string) => {
    await using signin = await createTestSignin(env);
    const { accessToken: bearer } = await signIn(signin, { provider });
    const { providers } = await (await signin.call("GET", "/auth/providers", { bearer })).json();
    return providers.map(({ slug, connected }: { slug: string; connected: boolean }) =>
      connected ? `${slug}*` : slug,
    );
  };

  it("lists login providers where they are configured, and API-key providers always", async () => {
    const keys = ["openai", "anthropic", "gemini"];
    assert.deepEqual(await list({}, "google"), ["google*", "github", ...keys]);
    assert.deepEqual(await list(NO_OAUTH, "google"), ["google*", ...keys]);
    assert.deepEqual(await list(NO_OIDC, "github"), ["github*", ...keys]);
  });

  it("tells kind, what can sign in, and the hint of a key", async () => {
    await using signin = await createTestSignin();
    const { accessToken: bearer } = await signIn(signin);
    const body = { provider_slug: "openai", api_key: "0123456789abcdef" };
    await signin.call("POST", "/auth/apikey", { bearer, body });
    const answer = await (await signin.call("GET", "/auth/providers", { bearer })).json();
    assert.deepEqual(answer, {
      providers: [
        { slug: "google", kind: "oidc", label: "Google", can_sign_in: true, connected: true },
        { slug: "github", kind: "oauth", label: "GitHub", can_sign_in: true, connected: false },
        {
          slug: "openai",
          kind: "api_key",
          label: "OpenAI",
          can_sign_in: false,
          connected: true,
          hint: "****cdef",
        },
        {
          slug: "anthropic",
          kind: "api_key",
          label: "Anthropic",
          can_sign_in: false,
          connected: false,
        },
        {
          slug: "gemini",
          kind: "api_key",
          label: "Google Gemini",
          can_sign_in: false,
          connected: false,
        },
      ],
    });
  });

  it("names providers by their configured names", async () => {
    await using signin = await createTestSignin({
      OIDC_PROVIDER_SLUG: "acme",
      OAUTH_PROVIDER_SLUG: "hub",
    });
    const { accessToken: bearer } = await signIn(signin, { provider: "acme" });
    const answer = await (await signin.call("GET", "/auth/providers", { bearer })).json();
    assert.deepEqual(
      answer.providers.slice(0, 2).map(({ slug }: { slug: string }) => slug),
      ["acme", "hub"],
    );
    assert.equal(
      await refusalOf(await signin.call("GET", "/auth/google/login")),
      "404 provider_disabled",
    );
  });
});

describe("routes of the signed-in user", () => {
  for (const path of ["/auth/me", "/auth/providers"]) {
    for (const [name, authorization] of [
      ["no header", undefined],
      ["another scheme", "Basic YTpi"],
      ["no token", "Bearer"],
      ["two tokens", "Bearer a b"],
      ["nonsense", "Bearer nonsense"],
    ] as const) {
      it(`${path} answers 401 with ${name}`, async () => {
        await using signin = await createTestSignin();
        const headers: Record<string, string> =
          authorization === undefined ? {} : { authorization };
        const response = await signin.call("GET", path, { headers });
        assert.equal(await refusalOf(response), "401 invalid_token");
        assert.equal(response.headers.get("www-authenticate"), 'Bearer error="invalid_token"');
      });
    }

    it(`${path} does not take the refresh cookie for a bearer`, async () => {
      await using signin = await createTestSignin();
      const { cookie } = await signIn(signin);
      const token = cookie.split("=")[1];
      assert.equal((await signin.call("GET", path, { cookie })).status, 401);
      assert.equal((await signin.call("GET", path, { bearer: token })).status, 401);
    });
  }
});
