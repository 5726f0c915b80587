import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BadConfiguration, type Environment } from "../../../shared/env.ts";
import { parseConfig } from "../../../signin/config/config.ts";
import type { Runtime } from "../../../signin/config/rules.ts";

const JWT = "b1946ac92492d2347c6235b4d2611184e1cf3a5f1b2d4c6a7e8f90a1b2c3d4e5";
const KEY = "3q2-7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs";
const OTHER_KEY = "GhscHR4fICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk=";
const DEVELOPMENT: Environment = { JWT_SECRET_KEY: JWT, TOKEN_ENCRYPTION_KEY: KEY };
const PRODUCTION: Environment = {
  ...DEVELOPMENT,
  APP_ENV: "production",
  APP_BASE_URL: "https://auth.example.com",
  APP_UI_BASE_URL: "https://app.example.com",
};
const OIDC = { OIDC_PROVIDER_CLIENT_ID: "id", OIDC_PROVIDER_CLIENT_SECRET: "secret-of-oidc" };
const OAUTH = { OAUTH_PROVIDER_CLIENT_ID: "id", OAUTH_PROVIDER_CLIENT_SECRET: "secret-of-oauth" };

function refusal(env: Environment, runtime: Runtime = "node"): string {
  try {
    parseConfig(env, runtime);
  } catch (error) {
    assert.ok(error instanceof BadConfiguration, String(error));
    return error.message;
  }
  return "";
}

describe("the configuration", () => {
  it("needs no address in development", () => {
    const config = parseConfig(DEVELOPMENT);
    assert.equal(config.env, "development");
    assert.equal(config.baseUrl, "http://127.0.0.1:8787");
    assert.equal(config.uiUrl, "http://127.0.0.1:8787/");
    assert.equal(config.secure, false);
    assert.deepEqual(config.allowedOrigins, ["http://127.0.0.1:8787"]);
    assert.deepEqual(config.trustedHosts, ["127.0.0.1:8787"]);
    assert.deepEqual(config.mail, { kind: "log", from: "signin@localhost" });
    assert.equal(config.oidc, undefined);
    assert.equal(config.oauth, undefined);
  });

  it("follows SIGNIN_HOST and SIGNIN_PORT in development", () => {
    const config = parseConfig({ ...DEVELOPMENT, SIGNIN_HOST: "::1", SIGNIN_PORT: "9000" });
    assert.equal(config.baseUrl, "http://[::1]:9000");
    assert.deepEqual(config.listen, { host: "[::1]", port: 9000 });
  });

  it("of a provider has the decided names and addresses", () => {
    const config = parseConfig({ ...PRODUCTION, ...OIDC, ...OAUTH });
    assert.equal(config.oidc?.slug, "google");
    assert.equal(config.oidc?.issuer, "https://accounts.google.com");
    assert.equal(config.oauth?.slug, "github");
    assert.equal(config.oauth?.authorizeUrl, "https://github.com/login/oauth/authorize");
    assert.equal(config.oauth?.tokenUrl, "https://github.com/login/oauth/access_token");
    assert.equal(config.oauth?.apiUrl, "https://api.github.com");
  });

  it("of an issuer is one spelling, so that a slash or capitals are no other issuer", () => {
    const issuerOf = (issuer: string) =>
      parseConfig({ ...PRODUCTION, ...OIDC, OIDC_PROVIDER_ISSUER: issuer }).oidc?.issuer;
    for (const issuer of ["https://op.test", "https://op.test/", "HTTPS://Op.Test:443"]) {
      assert.equal(issuerOf(issuer), "https://op.test");
    }
    assert.equal(issuerOf("https://op.test/realms/a"), "https://op.test/realms/a");
    assert.equal(issuerOf("https://op.test/realms/a/"), "https://op.test/realms/a/");
  });

  it("strips the trailing slash of the public address, and keeps the interface's as it is", () => {
    const config = parseConfig({
      ...PRODUCTION,
      APP_BASE_URL: "https://auth.example.com/",
      APP_UI_BASE_URL: "https://app.example.com/home/",
    });
    assert.equal(config.baseUrl, "https://auth.example.com");
    assert.equal(config.uiUrl, "https://app.example.com/home/");
  });

  it("takes keys of both base64 spellings, and lists for rotation", () => {
    const config = parseConfig({
      ...DEVELOPMENT,
      TOKEN_ENCRYPTION_KEY: `${OTHER_KEY},${KEY}`,
      JWT_SECRET_KEY: `${JWT}, ${"x".repeat(32)}`,
    });
    assert.equal(config.encryptionKeys.length, 2);
    assert.equal(config.signingKeys.length, 2);
    assert.equal(new TextDecoder().decode(config.signingKeys[0]), JWT);
  });

  it("always trusts the public host, and the listed ones", () => {
    const config = parseConfig({ ...PRODUCTION, TRUSTED_HOSTS: "Internal.example.com, [::1]:99" });
    assert.deepEqual(config.trustedHosts, ["auth.example.com", "internal.example.com", "[::1]:99"]);
  });

  it("allows the interface's origin, its own, and the listed ones", () => {
    const config = parseConfig({
      ...PRODUCTION,
      CORS_ALLOWED_ORIGINS: "https://Other.example.com/, tauri://localhost, http://localhost:5173",
    });
    assert.deepEqual(config.allowedOrigins, [
      "https://auth.example.com",
      "https://app.example.com",
      "https://other.example.com",
      "tauri://localhost",
      "http://localhost:5173",
    ]);
  });

  it("counts an empty variable as absent", () => {
    const config = parseConfig({
      ...DEVELOPMENT,
      OIDC_PROVIDER_CLIENT_ID: "",
      OIDC_PROVIDER_CLIENT_SECRET: " ",
    });
    assert.equal(config.oidc, undefined);
  });

  it("starts in production without mail, and says that there is none", () => {
    assert.deepEqual(parseConfig(PRODUCTION).mail, { kind: "none" });
  });

  it("takes a libsql: address for https", () => {
    const config = parseConfig(
      {
        ...PRODUCTION,
        DATABASE_URL: "libsql://db.example.com",
        DATABASE_AUTH_TOKEN: "token-of-database",
      },
      "workers",
    );
    assert.deepEqual(config.database, {
      url: "https://db.example.com",
      authToken: "token-of-database",
    });
  });
});

describe("a start is refused by name", () => {
  const cases: [name: string, env: Environment, variable: string, runtime?: Runtime][] = [
    ["no signing key", { ...PRODUCTION, JWT_SECRET_KEY: undefined }, "JWT_SECRET_KEY"],
    [
      "no encryption key",
      { ...PRODUCTION, TOKEN_ENCRYPTION_KEY: undefined },
      "TOKEN_ENCRYPTION_KEY",
    ],
    ["no public address", { ...PRODUCTION, APP_BASE_URL: undefined }, "APP_BASE_URL"],
    ["no interface address", { ...PRODUCTION, APP_UI_BASE_URL: undefined }, "APP_UI_BASE_URL"],
    ["an unknown environment", { ...DEVELOPMENT, APP_ENV: "prod" }, "APP_ENV"],
    [
      "http in production",
      { ...PRODUCTION, APP_BASE_URL: "http://auth.example.com" },
      "APP_BASE_URL",
    ],
    [
      "http in staging",
      { ...PRODUCTION, APP_ENV: "staging", APP_BASE_URL: "http://a.example.com" },
      "APP_BASE_URL",
    ],
    [
      "an http interface in production",
      { ...PRODUCTION, APP_UI_BASE_URL: "http://app.example.com" },
      "APP_UI_BASE_URL",
    ],
    [
      "an http web address in production",
      { ...PRODUCTION, WEB_BASE_URL: "http://example.com" },
      "WEB_BASE_URL",
    ],
    [
      "an http docs address in production",
      { ...PRODUCTION, DOCS_BASE_URL: "http://example.com" },
      "DOCS_BASE_URL",
    ],
    [
      "a path in the public address",
      { ...PRODUCTION, APP_BASE_URL: "https://a.example.com/auth" },
      "APP_BASE_URL",
    ],
    [
      "a query in the public address",
      { ...PRODUCTION, APP_BASE_URL: "https://a.example.com/?a" },
      "APP_BASE_URL",
    ],
    ["an empty query", { ...PRODUCTION, APP_BASE_URL: "https://a.example.com/?" }, "APP_BASE_URL"],
    [
      "a fragment in the public address",
      { ...PRODUCTION, APP_BASE_URL: "https://a.example.com/#a" },
      "APP_BASE_URL",
    ],
    [
      "a user in the public address",
      { ...PRODUCTION, APP_BASE_URL: "https://u:p@a.example.com" },
      "APP_BASE_URL",
    ],
    [
      "a public address that is none",
      { ...DEVELOPMENT, APP_BASE_URL: "auth.example.com" },
      "APP_BASE_URL",
    ],
    [
      "a scheme that is not the web's",
      { ...DEVELOPMENT, APP_BASE_URL: "ftp://a.example.com" },
      "APP_BASE_URL",
    ],
    [
      "a relative interface address",
      { ...DEVELOPMENT, APP_UI_BASE_URL: "/app" },
      "APP_UI_BASE_URL",
    ],
    [
      "an interface address with a query",
      { ...DEVELOPMENT, APP_UI_BASE_URL: "http://a.test/?b=c" },
      "APP_UI_BASE_URL",
    ],
    [
      "a javascript: interface",
      { ...DEVELOPMENT, APP_UI_BASE_URL: "javascript:alert(1)" },
      "APP_UI_BASE_URL",
    ],
    [
      "only a client id (OIDC)",
      { ...DEVELOPMENT, OIDC_PROVIDER_CLIENT_ID: "id" },
      "OIDC_PROVIDER_CLIENT_SECRET",
    ],
    [
      "only a client secret (OIDC)",
      { ...DEVELOPMENT, OIDC_PROVIDER_CLIENT_SECRET: "x" },
      "OIDC_PROVIDER_CLIENT_ID",
    ],
    [
      "only a client id (OAuth)",
      { ...DEVELOPMENT, OAUTH_PROVIDER_CLIENT_ID: "id" },
      "OAUTH_PROVIDER_CLIENT_SECRET",
    ],
    [
      "only a client secret (OAuth)",
      { ...DEVELOPMENT, OAUTH_PROVIDER_CLIENT_SECRET: "x" },
      "OAUTH_PROVIDER_CLIENT_ID",
    ],
    [
      "a blank client secret",
      { ...DEVELOPMENT, ...OIDC, OIDC_PROVIDER_CLIENT_SECRET: " " },
      "OIDC_PROVIDER_CLIENT_SECRET",
    ],
    ["a short signing key", { ...DEVELOPMENT, JWT_SECRET_KEY: "x".repeat(31) }, "JWT_SECRET_KEY"],
    [
      "a short old signing key",
      { ...DEVELOPMENT, JWT_SECRET_KEY: `${JWT},short` },
      "JWT_SECRET_KEY",
    ],
    [
      "a monotonous signing key in production",
      { ...PRODUCTION, JWT_SECRET_KEY: "a".repeat(64) },
      "JWT_SECRET_KEY",
    ],
    [
      "a zero encryption key in production",
      { ...PRODUCTION, TOKEN_ENCRYPTION_KEY: "A".repeat(43) },
      "TOKEN_ENCRYPTION_KEY",
    ],
    [
      "an encryption key of 31 bytes",
      { ...DEVELOPMENT, TOKEN_ENCRYPTION_KEY: KEY.slice(0, 42) },
      "TOKEN_ENCRYPTION_KEY",
    ],
    [
      "an encryption key of 33 bytes",
      { ...DEVELOPMENT, TOKEN_ENCRYPTION_KEY: `${KEY}A` },
      "TOKEN_ENCRYPTION_KEY",
    ],
    [
      "an encryption key in hex",
      { ...DEVELOPMENT, TOKEN_ENCRYPTION_KEY: JWT },
      "TOKEN_ENCRYPTION_KEY",
    ],
    [
      "an encryption key in plain base64",
      { ...DEVELOPMENT, TOKEN_ENCRYPTION_KEY: KEY.replace("-", "+") },
      "TOKEN_ENCRYPTION_KEY",
    ],
    [
      "one secret twice",
      { ...DEVELOPMENT, ...OIDC, OIDC_PROVIDER_CLIENT_SECRET: JWT },
      "OIDC_PROVIDER_CLIENT_SECRET",
    ],
    [
      "two providers with one secret",
      { ...DEVELOPMENT, ...OIDC, ...OAUTH, OAUTH_PROVIDER_CLIENT_SECRET: "secret-of-oidc" },
      "OAUTH_PROVIDER_CLIENT_SECRET",
    ],
    [
      "an encryption key as signing key",
      { ...DEVELOPMENT, JWT_SECRET_KEY: KEY },
      "TOKEN_ENCRYPTION_KEY",
    ],
    [
      "the same bytes in another spelling",
      { ...DEVELOPMENT, JWT_SECRET_KEY: Buffer.from(KEY, "base64url").toString("hex") },
      "TOKEN_ENCRYPTION_KEY",
    ],
    [
      "an origin with a path",
      { ...DEVELOPMENT, CORS_ALLOWED_ORIGINS: "https://a.test/x" },
      "CORS_ALLOWED_ORIGINS",
    ],
    ["any origin", { ...DEVELOPMENT, CORS_ALLOWED_ORIGINS: "*" }, "CORS_ALLOWED_ORIGINS"],
    [
      "a wildcard origin",
      { ...DEVELOPMENT, CORS_ALLOWED_ORIGINS: "https://*.a.test" },
      "CORS_ALLOWED_ORIGINS",
    ],
    [
      "the null origin",
      { ...DEVELOPMENT, CORS_ALLOWED_ORIGINS: "https://a.test, null" },
      "CORS_ALLOWED_ORIGINS",
    ],
    [
      "a plain origin in production",
      { ...PRODUCTION, CORS_ALLOWED_ORIGINS: "http://a.example.com" },
      "CORS_ALLOWED_ORIGINS",
    ],
    ["a host with a scheme", { ...DEVELOPMENT, TRUSTED_HOSTS: "https://a.test" }, "TRUSTED_HOSTS"],
    ["any host", { ...DEVELOPMENT, TRUSTED_HOSTS: "*" }, "TRUSTED_HOSTS"],
    [
      "a proxy that is a name",
      { ...DEVELOPMENT, TRUSTED_PROXIES: "proxy.local" },
      "TRUSTED_PROXIES",
    ],
    [
      "a CIDR that is too long",
      { ...DEVELOPMENT, TRUSTED_PROXIES: "10.0.0.0/33" },
      "TRUSTED_PROXIES",
    ],
    [
      "a plain issuer in production",
      { ...PRODUCTION, ...OIDC, OIDC_PROVIDER_ISSUER: "http://op.test" },
      "OIDC_PROVIDER_ISSUER",
    ],
    [
      "a plain token address in production",
      { ...PRODUCTION, ...OAUTH, OAUTH_PROVIDER_TOKEN_URL: "http://h.test/t" },
      "OAUTH_PROVIDER_TOKEN_URL",
    ],
    [
      "an API address that is none",
      { ...DEVELOPMENT, ...OAUTH, OAUTH_PROVIDER_API_URL: "h.test" },
      "OAUTH_PROVIDER_API_URL",
    ],
    [
      "two providers with one name",
      { ...DEVELOPMENT, OIDC_PROVIDER_SLUG: "github" },
      "OAUTH_PROVIDER_SLUG",
    ],
    [
      "a provider with the name of a key",
      { ...DEVELOPMENT, OIDC_PROVIDER_SLUG: "openai" },
      "OIDC_PROVIDER_SLUG",
    ],
    [
      "a provider with the name of a path",
      { ...DEVELOPMENT, OIDC_PROVIDER_SLUG: "native" },
      "OIDC_PROVIDER_SLUG",
    ],
    [
      "a name that is no path segment",
      { ...DEVELOPMENT, OIDC_PROVIDER_SLUG: "a/b" },
      "OIDC_PROVIDER_SLUG",
    ],
    ["a port that is none", { ...DEVELOPMENT, SIGNIN_PORT: "http" }, "SIGNIN_PORT"],
    ["a port too high", { ...DEVELOPMENT, SIGNIN_PORT: "65536" }, "SIGNIN_PORT"],
    [
      "an idle time beyond the absolute one",
      { ...DEVELOPMENT, SESSION_IDLE_DAYS: "91" },
      "SESSION_IDLE_DAYS",
    ],
    [
      "a grace near an access token's life",
      { ...DEVELOPMENT, REFRESH_LOST_RESPONSE_WINDOW: "600" },
      "REFRESH_LOST_RESPONSE_WINDOW",
    ],
    ["mail to the log in production", { ...PRODUCTION, MAIL_TRANSPORT: "log" }, "MAIL_TRANSPORT"],
    ["an unknown transport", { ...DEVELOPMENT, MAIL_TRANSPORT: "pigeon" }, "MAIL_TRANSPORT"],
    ["http mail without an address", { ...DEVELOPMENT, MAIL_TRANSPORT: "http" }, "MAIL_HTTP_URL"],
    [
      "http mail in the clear in production",
      {
        ...PRODUCTION,
        MAIL_TRANSPORT: "http",
        MAIL_HTTP_URL: "http://m.test",
        MAIL_FROM: "a@b.test",
      },
      "MAIL_HTTP_URL",
    ],
    [
      "mail without a sender in production",
      { ...PRODUCTION, MAIL_TRANSPORT: "smtp", MAIL_SMTP_URL: "smtps://m.test" },
      "MAIL_FROM",
    ],
    ["SMTP without an address", { ...DEVELOPMENT, MAIL_TRANSPORT: "smtp" }, "MAIL_SMTP_URL"],
    [
      "SMTP on Workers",
      {
        ...DEVELOPMENT,
        DATABASE_URL: "https://d.test",
        MAIL_TRANSPORT: "smtp",
        MAIL_SMTP_URL: "smtp://m.test",
      },
      "MAIL_TRANSPORT",
      "workers",
    ],
    ["no database on Workers", PRODUCTION, "DATABASE_URL", "workers"],
    [
      "a plain database in production",
      { ...PRODUCTION, DATABASE_URL: "http://d.test" },
      "DATABASE_URL",
      "workers",
    ],
    [
      "a file for a database",
      { ...PRODUCTION, DATABASE_URL: "file:a.db" },
      "DATABASE_URL",
      "workers",
    ],
  ];
  for (const [name, env, variable, runtime] of cases) {
    it(`for ${name}: ${variable}`, () => {
      const sentence = refusal(env, runtime);
      assert.match(sentence, new RegExp(`^${variable}: `, "m"));
    });
  }

  it("with every bad variable in one go, and never a secret's value", () => {
    const secrets = ["canary-jwt", "canary-key", "canary-oidc"];
    const sentence = refusal({
      APP_ENV: "production",
      JWT_SECRET_KEY: secrets[0],
      TOKEN_ENCRYPTION_KEY: secrets[1],
      OIDC_PROVIDER_CLIENT_SECRET: secrets[2],
    });
    for (const name of [
      "APP_BASE_URL",
      "JWT_SECRET_KEY",
      "TOKEN_ENCRYPTION_KEY",
      "OIDC_PROVIDER_CLIENT_ID",
    ]) {
      assert.match(sentence, new RegExp(`^${name}: `, "m"));
    }
    assert.doesNotMatch(sentence, /canary/);
  });
});
