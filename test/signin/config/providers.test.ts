import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSignin } from "../../../signin/app.ts";
import { parseConfig } from "../../../signin/config/config.ts";
import { APPLE_KEY, PLAYED_ENV } from "../../support/signin/played-providers.ts";
import { createTestSignin } from "../../support/signin/signin.ts";
import { itRefuses, OAUTH, OIDC, PRODUCTION, refusalOf } from "./configurations.ts";

const listed = (PROVIDERS: string, own: Record<string, string> = {}) => ({
  ...PRODUCTION,
  PROVIDERS,
  ...own,
});
const ACME = { PROVIDER_ACME_CLIENT_ID: "id", PROVIDER_ACME_CLIENT_SECRET: "secret-of-acme" };
const ACME_OIDC = {
  ...ACME,
  PROVIDER_ACME_KIND: "oidc",
  PROVIDER_ACME_ISSUER: "https://acme.test",
};
const GOOGLE = { PROVIDER_GOOGLE_CLIENT_ID: "id", PROVIDER_GOOGLE_CLIENT_SECRET: "secret-of-new" };
const MICROSOFT = {
  PROVIDER_MICROSOFT_CLIENT_ID: "id",
  PROVIDER_MICROSOFT_CLIENT_SECRET: "secret-of-microsoft",
};
const APPLE = {
  PROVIDER_APPLE_CLIENT_ID: "com.example.signin",
  PROVIDER_APPLE_TEAM_ID: "TEAM123456",
  PROVIDER_APPLE_KEY_ID: "KEY1234567",
  PROVIDER_APPLE_PRIVATE_KEY: APPLE_KEY,
};

describe("PROVIDERS", () => {
  it("names providers in their order, behind those of the specified variables", () => {
    const { providers } = parseConfig({
      ...listed("acme, microsoft", { ...ACME_OIDC, ...MICROSOFT }),
      ...OIDC,
      ...OAUTH,
    });
    const slugs = providers.map(({ slug }) => slug);
    assert.deepEqual(slugs, ["google", "github", "acme", "microsoft"]);
  });

  it("has six presets, and takes every value of a generic provider from its variables", () => {
    const { providers } = parseConfig({ ...PRODUCTION, ...PLAYED_ENV });
    const shown = providers.map((provider) => [
      provider.slug,
      provider.label,
      provider.kind,
      provider.issuer,
      provider.scope,
      provider.addresses,
    ]);
    const openid = "openid email profile";
    const microsoft = "https://login.microsoftonline.com/{tenantid}/v2.0";
    assert.deepEqual(shown, [
      ["google", "Google", "oidc", "https://accounts.google.com", openid, "verified"],
      ["microsoft", "Microsoft", "oidc", microsoft, openid, "unproven"],
      ["apple", "Apple", "oidc", "https://appleid.apple.com", "openid email name", "verified"],
      ["github", "GitHub", "oauth", "https://api.github.com", "read:user user:email", "unproven"],
      ["gitlab", "GitLab", "oidc", "https://gitlab.com", openid, "unproven"],
      ["discord", "Discord", "oauth", "https://discord.com", "identify email", "unproven"],
      ["acme", "Acme & Sons", "oidc", "https://acme.example.test", openid, "unproven"],
      ["plain", "Plain", "oauth", "https://plain.example.test", "profile", "unproven"],
    ]);
  });

  it("replaces scopes, but openid stays; addresses of a preset can be others", () => {
    const { providers } = parseConfig(
      listed("google,github", {
        ...GOOGLE,
        PROVIDER_GOOGLE_SCOPES: "email  calendar",
        PROVIDER_GITHUB_CLIENT_ID: "id",
        PROVIDER_GITHUB_CLIENT_SECRET: "secret-of-github",
        PROVIDER_GITHUB_API_URL: "https://ghe.test/api/v3/",
      }),
    );
    const [google, github] = providers;
    assert.equal(google?.scope, "openid email  calendar");
    assert.ok(github?.kind === "oauth");
    assert.equal(github.apiUrl, "https://ghe.test/api/v3");
    assert.equal(github.tokenUrl, "https://github.com/login/oauth/access_token");
  });

  for (const [own, issuer, metadataIssuer, tenants] of [
    [{}, "https://login.microsoftonline.com/{tenantid}/v2.0", "common", ["common", "common"]],
    [
      { TENANT: "Organizations" },
      "https://login.microsoftonline.com/{tenantid}/v2.0",
      "organizations",
      ["organizations", "organizations"],
    ],
    [
      { ISSUER: "https://login.microsoftonline.us/common/v2.0", TENANT: "consumers" },
      "https://login.microsoftonline.us/{tenantid}/v2.0",
      "common",
      ["common", "consumers"],
    ],
  ] as const) {
    it(`of Microsoft with ${JSON.stringify(own)} has the template as its issuer`, () => {
      const variables = Object.entries(own).map(([name, value]) => [
        `PROVIDER_MICROSOFT_${name}`,
        value,
      ]);
      const env = listed("microsoft", { ...MICROSOFT, ...Object.fromEntries(variables) });
      const [provider] = parseConfig(env).providers;
      assert.ok(provider?.kind === "oidc");
      assert.equal(provider.issuer, issuer);
      assert.equal(provider.metadataIssuer, issuer.replace("{tenantid}", metadataIssuer));
      assert.deepEqual(provider.tenants, tenants);
    });
  }

  it("takes Apple's key with line feeds, or with `\\n` for them", () => {
    const keys = [APPLE_KEY, APPLE_KEY.replaceAll("\n", "\\n")].map((key) => {
      const env = listed("apple", { ...APPLE, PROVIDER_APPLE_PRIVATE_KEY: key });
      const [provider] = parseConfig(env).providers;
      return provider?.kind === "oidc" ? provider.appleKey?.privateKey : undefined;
    });
    assert.equal(keys[0], keys[1]);
    assert.match(keys[0] ?? "", /^[\w+/]+=*$/);
  });

  it("shows no value, and names every bad variable at once", () => {
    const secret = "canary-4711";
    const refusal = refusalOf(
      listed(`acme,google,${secret}!`, {
        PROVIDER_ACME_KIND: secret,
        PROVIDER_GOOGLE_CLIENT_SECRET: secret,
      }),
    );
    const names = refusal.split("\n").map((line) => line.split(":", 1)[0]);
    assert.deepEqual(names.sort(), [
      "PROVIDERS",
      "PROVIDER_ACME_KIND",
      "PROVIDER_GOOGLE_CLIENT_ID",
    ]);
    assert.doesNotMatch(refusal, /canary/);
  });

  it("takes no name that stands for another path behind /auth", async () => {
    await using signin = await createTestSignin();
    const { api } = createSignin(signin.deps);
    const names = new Set(
      api.routes.flatMap(({ path }) => /^\/auth\/([^/:]+)/.exec(path)?.[1] ?? []),
    );
    assert.ok(names.size > 10);
    for (const name of names) assert.match(refusalOf(listed(name)), /^PROVIDERS: must list/m, name);
  });

  itRefuses([
    ["a name with capitals", listed("Acme", ACME_OIDC), "PROVIDERS"],
    ["a name with a hyphen", listed("ac-me"), "PROVIDERS"],
    ["a provider of API keys", listed("openai"), "PROVIDERS"],
    ["a route", listed("signup"), "PROVIDERS"],
    ["a name twice", listed("google,google", GOOGLE), "PROVIDERS"],
    ["a slug by old and new variables", { ...listed("google", GOOGLE), ...OIDC }, "PROVIDERS"],
    [
      "a slug of the specified pair with another name",
      { ...listed("acme", ACME_OIDC), ...OAUTH, OAUTH_PROVIDER_SLUG: "acme" },
      "PROVIDERS",
    ],
    ["no client id", listed("google"), "PROVIDER_GOOGLE_CLIENT_ID"],
    [
      "no secret",
      listed("google", { PROVIDER_GOOGLE_CLIENT_ID: "id" }),
      "PROVIDER_GOOGLE_CLIENT_SECRET",
    ],
    ["no kind without a preset", listed("acme", ACME), "PROVIDER_ACME_KIND"],
    [
      "another kind than the preset's",
      listed("google", { ...GOOGLE, PROVIDER_GOOGLE_KIND: "oauth" }),
      "PROVIDER_GOOGLE_KIND",
    ],
    ["no issuer", listed("acme", { ...ACME, PROVIDER_ACME_KIND: "oidc" }), "PROVIDER_ACME_ISSUER"],
    [
      "no token address",
      listed("acme", {
        ...ACME,
        PROVIDER_ACME_KIND: "oauth",
        PROVIDER_ACME_AUTHORIZE_URL: "https://a.test/a",
        PROVIDER_ACME_API_URL: "https://a.test/me",
      }),
      "PROVIDER_ACME_TOKEN_URL",
    ],
    [
      "an address of the other kind",
      listed("acme", { ...ACME_OIDC, PROVIDER_ACME_API_URL: "https://a.test/me" }),
      "PROVIDER_ACME_API_URL",
    ],
    [
      "a plain address in production",
      listed("acme", { ...ACME_OIDC, PROVIDER_ACME_ISSUER: "http://acme.test" }),
      "PROVIDER_ACME_ISSUER",
    ],
    [
      "a tenant elsewhere",
      listed("google", { ...GOOGLE, PROVIDER_GOOGLE_TENANT: "common" }),
      "PROVIDER_GOOGLE_TENANT",
    ],
    [
      "a tenant with a slash",
      listed("microsoft", { ...MICROSOFT, PROVIDER_MICROSOFT_TENANT: "a/b" }),
      "PROVIDER_MICROSOFT_TENANT",
    ],
    [
      "an issuer of Microsoft without a tenant",
      listed("microsoft", { ...MICROSOFT, PROVIDER_MICROSOFT_ISSUER: "https://op.test/v2.0" }),
      "PROVIDER_MICROSOFT_ISSUER",
    ],
    [
      "a secret for Apple",
      listed("apple", { ...APPLE, PROVIDER_APPLE_CLIENT_SECRET: "secret" }),
      "PROVIDER_APPLE_CLIENT_SECRET",
    ],
    [
      "no team",
      listed("apple", { ...APPLE, PROVIDER_APPLE_TEAM_ID: "" }),
      "PROVIDER_APPLE_TEAM_ID",
    ],
    [
      "a key that is none",
      listed("apple", { ...APPLE, PROVIDER_APPLE_PRIVATE_KEY: "-----BEGIN PRIVATE KEY-----" }),
      "PROVIDER_APPLE_PRIVATE_KEY",
    ],
    [
      "a label of two lines",
      listed("google", { ...GOOGLE, PROVIDER_GOOGLE_LABEL: "a\nb" }),
      "PROVIDER_GOOGLE_LABEL",
    ],
    [
      "scopes with quotes",
      listed("google", { ...GOOGLE, PROVIDER_GOOGLE_SCOPES: 'a "b"' }),
      "PROVIDER_GOOGLE_SCOPES",
    ],
    [
      "the secret of another provider",
      listed("google,acme", {
        ...GOOGLE,
        ...ACME_OIDC,
        PROVIDER_ACME_CLIENT_SECRET: "secret-of-new",
      }),
      "PROVIDER_ACME_CLIENT_SECRET",
    ],
  ]);
});
