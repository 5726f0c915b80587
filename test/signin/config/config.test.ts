import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseConfig } from "../../../signin/config/config.ts";
import { DEVELOPMENT, JWT, KEY, OAUTH, OIDC, OTHER_KEY, PRODUCTION } from "./configurations.ts";

describe("the configuration", () => {
  it("needs no address in development", () => {
    const config = parseConfig(DEVELOPMENT);
    assert.equal(config.env, "development");
    assert.equal(config.baseUrl, "http://localhost:8787");
    assert.equal(config.uiUrl, "http://localhost:8787/");
    assert.equal(config.secure, false);
    assert.deepEqual(config.allowedOrigins, ["http://localhost:8787", "http://127.0.0.1:8787"]);
    assert.deepEqual(config.trustedHosts, ["localhost:8787", "127.0.0.1:8787"]);
    assert.deepEqual(config.mail, { kind: "log", from: "signin@localhost" });
    assert.deepEqual(config.providers, []);
  });

  it("signs access tokens with HS256 unless JWT_SIGNING_ALG says EdDSA, to the letter", () => {
    assert.equal(parseConfig(DEVELOPMENT).signingAlgorithm, "HS256");
    const signed = (JWT_SIGNING_ALG: string) => parseConfig({ ...DEVELOPMENT, JWT_SIGNING_ALG });
    assert.equal(signed("EdDSA").signingAlgorithm, "EdDSA");
    for (const other of ["eddsa", "none", "ES256", "Ed25519"]) {
      assert.throws(
        () => signed(other),
        /^BadConfiguration: JWT_SIGNING_ALG: must be one of HS256, EdDSA$/,
      );
    }
  });

  it("follows SIGNIN_HOST and SIGNIN_PORT in development", () => {
    const config = parseConfig({ ...DEVELOPMENT, SIGNIN_HOST: "::1", SIGNIN_PORT: "9000" });
    assert.equal(config.baseUrl, "http://[::1]:9000");
    assert.deepEqual(config.listen, { host: "[::1]", port: 9000 });
  });

  it("names a bad port alone, and a host that makes no address", () => {
    const at = (values: object) => () => parseConfig({ ...DEVELOPMENT, ...values });
    assert.throws(at({ SIGNIN_PORT: "http" }), /^BadConfiguration: SIGNIN_PORT: [^\n]*$/);
    assert.throws(at({ SIGNIN_HOST: "a b" }), /APP_BASE_URL: must be an http or https URL/);
  });

  it("of a provider has the decided names and addresses", () => {
    const config = parseConfig({ ...PRODUCTION, ...OIDC, ...OAUTH });
    const [oidc, oauth, ...others] = config.providers;
    assert.deepEqual(others, []);
    assert.equal(oidc?.slug, "google");
    assert.equal(oidc?.issuer, "https://accounts.google.com");
    assert.ok(oauth?.kind === "oauth");
    assert.equal(oauth.slug, "github");
    assert.equal(oauth.authorizeUrl, "https://github.com/login/oauth/authorize");
    assert.equal(oauth.tokenUrl, "https://github.com/login/oauth/access_token");
    assert.equal(oauth.apiUrl, "https://api.github.com");
  });

  it("of an issuer is one spelling, so that a slash or capitals are no other issuer", () => {
    const issuerOf = (issuer: string) =>
      parseConfig({ ...PRODUCTION, ...OIDC, OIDC_PROVIDER_ISSUER: issuer }).providers[0]?.issuer;
    for (const issuer of ["https://op.test", "https://op.test/", "HTTPS://Op.Test:443"]) {
      assert.equal(issuerOf(issuer), "https://op.test");
    }
    assert.equal(issuerOf("https://op.test/realms/a"), "https://op.test/realms/a");
    assert.equal(issuerOf("https://op.test/realms/a/"), "https://op.test/realms/a/");
  });

  it("refuses a short METRICS_TOKEN, and a query in DATABASE_URL, by name and without the value", () => {
    const refused = (variables: Record<string, string>) => {
      try {
        parseConfig({ ...PRODUCTION, ...variables });
        return "";
      } catch (error) {
        return String(error);
      }
    };
    assert.match(
      refused({ METRICS_TOKEN: "a".repeat(31) }),
      /METRICS_TOKEN: must have at least 32/,
    );
    assert.equal(refused({ METRICS_TOKEN: "0123456789abcdef0123456789abcdef" }), "");
    const message = refused({ DATABASE_URL: "https://x.turso.io?authToken=eyJcanary" });
    assert.match(message, /DATABASE_URL: must have no query/);
    assert.doesNotMatch(message, /eyJcanary/);
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
    assert.deepEqual(config.providers, []);
  });

  it("starts in production without mail, and says that there is none", () => {
    assert.deepEqual(parseConfig(PRODUCTION).mail, { kind: "none" });
  });

  it("has a name for people, and a logo where one is given", () => {
    const { appName, logoUrl } = parseConfig(PRODUCTION);
    assert.deepEqual([appName, logoUrl], ["Roundhouse", undefined]);
    const named = {
      APP_NAME: " Zoë's 仕事 ",
      APP_LOGO_URL: "https://cdn.example.com/logo.svg?v=2",
    };
    const config = parseConfig({ ...PRODUCTION, ...named });
    assert.equal(config.appName, "Zoë's 仕事");
    assert.equal(config.logoUrl, "https://cdn.example.com/logo.svg?v=2");
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
