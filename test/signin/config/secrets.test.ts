import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  DEVELOPMENT,
  itRefuses,
  JWT,
  KEY,
  OAUTH,
  OIDC,
  PRODUCTION,
  refusalOf,
} from "./configurations.ts";

describe("a start is refused by name for a secret", () => {
  itRefuses([
    ["no signing key", { ...PRODUCTION, JWT_SECRET_KEY: undefined }, "JWT_SECRET_KEY"],
    [
      "no encryption key",
      { ...PRODUCTION, TOKEN_ENCRYPTION_KEY: undefined },
      "TOKEN_ENCRYPTION_KEY",
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
  ]);

  it("with every bad variable in one go, and never a secret's value", () => {
    const secrets = ["canary-jwt", "canary-key", "canary-oidc"];
    const sentence = refusalOf({
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
