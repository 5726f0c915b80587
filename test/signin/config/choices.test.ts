import { describe } from "node:test";
import { DEVELOPMENT, itRefuses, PRODUCTION } from "./configurations.ts";

describe("a start is refused by name for a choice", () => {
  itRefuses([
    ["an unknown environment", { ...DEVELOPMENT, APP_ENV: "prod" }, "APP_ENV"],
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
      "an unknown mail service",
      {
        ...DEVELOPMENT,
        MAIL_TRANSPORT: "http",
        MAIL_HTTP_URL: "https://m.test",
        MAIL_HTTP_FORMAT: "pigeon",
      },
      "MAIL_HTTP_FORMAT",
    ],
    [
      "a mail service without its key",
      {
        ...DEVELOPMENT,
        MAIL_TRANSPORT: "http",
        MAIL_HTTP_URL: "https://m.test",
        MAIL_HTTP_FORMAT: "mailgun",
      },
      "MAIL_HTTP_TOKEN",
    ],
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
  ]);
});
