import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  inProcessRuntime,
  KEYS,
  type SigninRuntime,
  type Variables,
} from "../../support/signin/runtimes.ts";

const PRODUCTION: Variables = {
  APP_ENV: "production",
  APP_BASE_URL: "https://auth.example.com",
  APP_UI_BASE_URL: "https://app.example.com",
  DATABASE_URL: "https://db.example.com",
};
const SECRET = "canary-secret-value-0123456789abcdef";

/** Each names the variable that is wrong, and shows no value. */
const REFUSED: [what: string, names: string, variables: Variables][] = [
  ["a client id alone (OIDC)", "OIDC_PROVIDER_CLIENT_SECRET", { OIDC_PROVIDER_CLIENT_ID: "x" }],
  [
    "a client secret alone (OIDC)",
    "OIDC_PROVIDER_CLIENT_ID",
    { OIDC_PROVIDER_CLIENT_SECRET: SECRET },
  ],
  ["a client id alone (OAuth)", "OAUTH_PROVIDER_CLIENT_SECRET", { OAUTH_PROVIDER_CLIENT_ID: "x" }],
  [
    "a client secret alone (OAuth)",
    "OAUTH_PROVIDER_CLIENT_ID",
    { OAUTH_PROVIDER_CLIENT_SECRET: SECRET },
  ],
  ["an unknown environment", "APP_ENV", { APP_ENV: "prod" }],
  [
    "plain http in production",
    "APP_BASE_URL",
    { ...PRODUCTION, APP_BASE_URL: "http://auth.example.com" },
  ],
  [
    "plain http in staging",
    "APP_BASE_URL",
    { ...PRODUCTION, APP_ENV: "staging", APP_BASE_URL: "http://auth.example.com" },
  ],
  [
    "a plain http user interface in production",
    "APP_UI_BASE_URL",
    { ...PRODUCTION, APP_UI_BASE_URL: "http://app.example.com" },
  ],
  ["a public address with a path", "APP_BASE_URL", { APP_BASE_URL: "http://127.0.0.1:8787/path" }],
  ["a public address that is none", "APP_BASE_URL", { APP_BASE_URL: "auth.example.com" }],
  ["any origin", "CORS_ALLOWED_ORIGINS", { CORS_ALLOWED_ORIGINS: "*" }],
  ["the null origin", "CORS_ALLOWED_ORIGINS", { CORS_ALLOWED_ORIGINS: "null" }],
  [
    "an origin with a path",
    "CORS_ALLOWED_ORIGINS",
    { CORS_ALLOWED_ORIGINS: "https://a.example/x" },
  ],
  ["any host", "TRUSTED_HOSTS", { TRUSTED_HOSTS: "*" }],
  ["a proxy that is no address", "TRUSTED_PROXIES", { TRUSTED_PROXIES: "loadbalancer" }],
  ["a short signing key", "JWT_SECRET_KEY", { JWT_SECRET_KEY: "short-canary" }],
  ["an algorithm that is none of the two", "JWT_SIGNING_ALG", { JWT_SIGNING_ALG: "RS256" }],
  ["an encryption key that is no base64", "TOKEN_ENCRYPTION_KEY", { TOKEN_ENCRYPTION_KEY: SECRET }],
  [
    "an encryption key of 16 bytes",
    "TOKEN_ENCRYPTION_KEY",
    { TOKEN_ENCRYPTION_KEY: "q83vEjRWeJCrze8SNFZ4kA==" },
  ],
  ["one key for both purposes", "must differ", { JWT_SECRET_KEY: KEYS.TOKEN_ENCRYPTION_KEY }],
  [
    "a client secret that is the signing key",
    "must differ",
    { OIDC_PROVIDER_CLIENT_ID: "x", OIDC_PROVIDER_CLIENT_SECRET: KEYS.JWT_SECRET_KEY },
  ],
  ["no signing key in production", "JWT_SECRET_KEY", { ...PRODUCTION, JWT_SECRET_KEY: "" }],
  [
    "no encryption key in production",
    "TOKEN_ENCRYPTION_KEY",
    { ...PRODUCTION, TOKEN_ENCRYPTION_KEY: "" },
  ],
  [
    "a plain http provider in production",
    "OIDC_PROVIDER_ISSUER",
    { ...PRODUCTION, OIDC_PROVIDER_ISSUER: "http://op.example.com" },
  ],
  ["a sign-up that does not exist", "SIGNUP", { SIGNUP: "friends" }],
  ["a domain with an @", "SIGNUP_ALLOWED_DOMAINS", { SIGNUP_ALLOWED_DOMAINS: "@example.com" }],
  ["a domain with a path", "SIGNUP_ALLOWED_DOMAINS", { SIGNUP_ALLOWED_DOMAINS: "example.com/x" }],
  ["any domain", "SIGNUP_ALLOWED_DOMAINS", { SIGNUP_ALLOWED_DOMAINS: "*.example.com" }],
  ["mail in the log in production", "MAIL_TRANSPORT", { ...PRODUCTION, MAIL_TRANSPORT: "log" }],
  ["a mail transport that does not exist", "MAIL_TRANSPORT", { MAIL_TRANSPORT: "pigeon" }],
];

/** The same on each runtime, as it is the same function. */
export function refusedVariableTests(): void {
  describe("configuration", () => {
    for (const [what, names, variables] of REFUSED) {
      it(`refuses to start with ${what}`, async () => {
        const output = await inProcessRuntime.refusal(variables);
        assert.equal(output.includes(names), true, `${names} in ${output}`);
        for (const value of [
          SECRET,
          "short-canary",
          KEYS.JWT_SECRET_KEY,
          KEYS.TOKEN_ENCRYPTION_KEY,
        ]) {
          assert.equal(output.includes(value), false, "it shows no value");
        }
      });
    }
  });
}

/** Bad configuration refuses the start and names the variable. */
export function configurationTests(runtime: SigninRuntime): void {
  describe("configuration", () => {
    it("names every bad variable at once", async () => {
      const output = await runtime.refusal({
        APP_ENV: "prod",
        JWT_SECRET_KEY: "short",
        TRUSTED_HOSTS: "*",
        TOKEN_ENCRYPTION_KEY: SECRET,
      });
      assert.equal(output.includes(SECRET), false, "it shows no value");
      for (const name of ["APP_ENV", "JWT_SECRET_KEY", "TRUSTED_HOSTS"]) {
        assert.equal(output.includes(name), true, name);
      }
    });

    it("hides a provider whose pair is absent, and takes an empty variable for an absent one", async () => {
      await using signin = await runtime.boot({
        OIDC_PROVIDER_CLIENT_ID: "",
        OIDC_PROVIDER_CLIENT_SECRET: "",
      });
      for (const slug of ["google", "github"]) {
        const response = await fetch(`${signin.baseUrl}/auth/${slug}/login`, {
          redirect: "manual",
        });
        assert.equal(response.status, 404);
      }
    });
  });
}
