import { describe } from "node:test";
import { DEVELOPMENT, itRefuses, OAUTH, OIDC, PRODUCTION } from "./configurations.ts";

describe("a start is refused by name for an address", () => {
  itRefuses([
    ["no public address", { ...PRODUCTION, APP_BASE_URL: undefined }, "APP_BASE_URL"],
    ["no interface address", { ...PRODUCTION, APP_UI_BASE_URL: undefined }, "APP_UI_BASE_URL"],
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
      "an http logo in production",
      { ...PRODUCTION, APP_LOGO_URL: "http://example.com/logo.svg" },
      "APP_LOGO_URL",
    ],
    ["a logo that is no address", { ...DEVELOPMENT, APP_LOGO_URL: "logo.svg" }, "APP_LOGO_URL"],
    ["a name of two lines", { ...DEVELOPMENT, APP_NAME: "Ada\nand Bob" }, "APP_NAME"],
    ["a name of 65 characters", { ...DEVELOPMENT, APP_NAME: "a".repeat(65) }, "APP_NAME"],
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
  ]);
});
