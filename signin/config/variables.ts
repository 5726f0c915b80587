import { z } from "zod";
import { listOf, logLevel, oneOf, port, text, wholeNumber } from "../../shared/env.ts";
import { isHostEntry } from "../../shared/host.ts";
import {
  APP_NAME_CHARACTERS_MAX,
  DAY_SEC,
  METRICS_TOKEN_CHARACTERS_MIN,
  REFRESH_GRACE_SEC,
  SESSION_ABSOLUTE_SEC,
  SESSION_IDLE_SEC,
} from "../limits.ts";
import { isOneLine } from "../one-line.ts";
import {
  hasNoCredentials,
  isBareOrigin,
  isHostName,
  isWebUrl,
  toMailDomain,
  toOrigin,
} from "./addresses.ts";
import { isNetwork } from "./network.ts";
import { isProviderName } from "./presets.ts";
import { isEncryptionKey, isSigningKey } from "./secrets.ts";

/** The API-key providers (Sign-in §1). They can be connected, and no user signs in with them. */
export const API_KEY_PROVIDERS = ["openai", "anthropic", "gemini"] as const;

/** Their names for people. */
export const API_KEY_LABELS = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  gemini: "Google Gemini",
} as const;

/** The mail services whose requests `MAIL_TRANSPORT=http` can send. The first one has the form `{to, from, subject, text}`. */
const MAIL_HTTP_FORMATS = ["resend", "postmark", "sendgrid", "mailgun"] as const;

// Names of other paths under /auth.
const RESERVED_SLUGS = [
  "native",
  "password",
  "signup",
  "sessions",
  "events",
  "passkey",
  "passkeys",
];
const TAKEN_SLUGS: readonly string[] = [...API_KEY_PROVIDERS, ...RESERVED_SLUGS];
// What else stands behind /auth/ has been free for the specified slugs.
const ROUTES = [
  "apikey",
  "email",
  "identities",
  "login",
  "logout",
  "me",
  "providers",
  "reauthenticate",
  "refresh",
];
const DAYS_MAX = 3650;
// Well below the lifetime of an access token; tokens/refresh-session.ts says why.
const REFRESH_GRACE_SEC_MAX = 540;

const url = z.string().refine(isWebUrl, "must be an http or https URL");
const webUrl = url.refine(hasNoCredentials, "must have no user name");
const slug = z
  .string()
  .refine(
    (name) => /^[a-z0-9][a-z0-9_-]{0,31}$/.test(name),
    "must be 1 to 32 characters of a-z, 0-9, - and _",
  )
  .refine(
    (name) => !TAKEN_SLUGS.includes(name),
    "is reserved for something else: choose another name",
  );
const issuerChange = oneOf(["accept"], "must be accept, or not set").optional();

/**
 * Every variable of the server with its own rule. rules.ts has the rules about several variables. The messages are for the
 * operator. None may repeat a value, which can be a secret.
 */
export const VARIABLES = z.object({
  APP_ENV: oneOf(["development", "test", "staging", "production"]).default("development"),
  APP_BASE_URL: url
    .refine(isBareOrigin, "must have no path, query, fragment or user name")
    .optional(),
  APP_UI_BASE_URL: webUrl
    .refine((given) => !/[?#@]/.test(given), "must have no query, fragment or user name")
    .optional(),
  WEB_BASE_URL: webUrl.optional(),
  DOCS_BASE_URL: webUrl.optional(),
  APP_NAME: z
    .string()
    .refine(
      (name) => name.length <= APP_NAME_CHARACTERS_MAX,
      `must have at most ${APP_NAME_CHARACTERS_MAX} characters`,
    )
    .refine(isOneLine, "must be one line of text")
    .default("Roundhouse"),
  APP_LOGO_URL: webUrl.optional(),
  CORS_ALLOWED_ORIGINS: listOf(
    (origin) => toOrigin(origin) !== undefined,
    "must list origins such as https://app.example.com: no path, no *, no null",
  ),
  TRUSTED_HOSTS: listOf(
    isHostEntry,
    "must list host names such as auth.example.com: no scheme, no path, no *",
  ),
  TRUSTED_PROXIES: listOf(isNetwork, "must list addresses or CIDRs such as 10.0.0.0/8"),

  PASSKEY_RP_ID: z
    .string()
    .toLowerCase()
    .refine(isHostName, "must be a host name such as example.com: no scheme, no port")
    .optional(),

  JWT_SECRET_KEY: listOf(
    isSigningKey,
    "must be at least 32 bytes long, such as 64 random hex digits",
  ).refine(
    (keys) => keys.length > 0,
    "must be set: at least 32 random bytes, such as 64 hex digits",
  ),
  TOKEN_ENCRYPTION_KEY: listOf(
    isEncryptionKey,
    "must be the URL-safe base64 of exactly 32 bytes",
  ).refine((keys) => keys.length > 0, "must be set: URL-safe base64 of 32 random bytes"),
  JWT_SIGNING_ALG: oneOf(["HS256", "EdDSA"]).default("HS256"),
  ACCESS_TOKEN_AUDIENCE: z.string().default("signin"),

  OIDC_PROVIDER_SLUG: slug.default("google"),
  OIDC_PROVIDER_CLIENT_ID: text,
  OIDC_PROVIDER_CLIENT_SECRET: text,
  OIDC_PROVIDER_ISSUER: webUrl.default("https://accounts.google.com"),
  OIDC_PROVIDER_ISSUER_CHANGED: issuerChange,
  OIDC_PROVIDER_TOKEN_AUTH: oneOf(
    ["basic", "post"],
    "must be basic or post, or not set",
  ).optional(),

  OAUTH_PROVIDER_SLUG: slug.default("github"),
  OAUTH_PROVIDER_CLIENT_ID: text,
  OAUTH_PROVIDER_CLIENT_SECRET: text,
  OAUTH_PROVIDER_AUTHORIZE_URL: webUrl.default("https://github.com/login/oauth/authorize"),
  OAUTH_PROVIDER_TOKEN_URL: webUrl.default("https://github.com/login/oauth/access_token"),
  OAUTH_PROVIDER_API_URL: webUrl.default("https://api.github.com"),
  OAUTH_PROVIDER_ISSUER_CHANGED: issuerChange,

  PROVIDERS: listOf(
    (name) => isProviderName(name) && ![...TAKEN_SLUGS, ...ROUTES].includes(name),
    "must list names of 1 to 32 characters of a-z and 0-9, none of them a provider of API keys or a path of this server",
  ),

  SIGNUP: oneOf(["open", "invited", "closed"]).default("open"),
  SIGNUP_ALLOWED_DOMAINS: listOf(
    (domain) => toMailDomain(domain) !== undefined,
    "must list domains such as example.com: no @, no *",
  ),

  MAIL_TRANSPORT: oneOf(["log", "http", "smtp"], "must be log, http or smtp").optional(),
  MAIL_FROM: z
    .string()
    .refine((from) => /^.*$/.test(from), "must be one line")
    .optional(),
  MAIL_HTTP_URL: webUrl.optional(),
  MAIL_HTTP_FORMAT: oneOf(MAIL_HTTP_FORMATS).default("resend"),
  MAIL_HTTP_TOKEN: text,
  MAIL_SMTP_URL: text,

  DATABASE_URL: z
    .string()
    .overwrite((given) => given.replace(/^libsql:/, "https:"))
    .refine(isWebUrl, "must be an http or https URL")
    .refine(hasNoCredentials, "must have no user name")
    .refine(
      (url) => !/[?#]/.test(url),
      "must have no query: a token belongs in DATABASE_AUTH_TOKEN",
    )
    .optional(),
  DATABASE_AUTH_TOKEN: text,
  SIGNIN_DATA_DIR: text,
  SIGNIN_HOST: z.string().default("127.0.0.1"),
  SIGNIN_PORT: port.default(8787),
  METRICS_TOKEN: z
    .string()
    .refine(
      (token) => token.length >= METRICS_TOKEN_CHARACTERS_MIN,
      `must have at least ${METRICS_TOKEN_CHARACTERS_MIN} characters`,
    )
    .optional(),
  SIGNIN_LOG_LEVEL: logLevel,
  SESSION_IDLE_DAYS: wholeNumber(1, DAYS_MAX).default(SESSION_IDLE_SEC / DAY_SEC),
  SESSION_ABSOLUTE_DAYS: wholeNumber(1, DAYS_MAX).default(SESSION_ABSOLUTE_SEC / DAY_SEC),
  REFRESH_LOST_RESPONSE_WINDOW: wholeNumber(0, REFRESH_GRACE_SEC_MAX).default(REFRESH_GRACE_SEC),
  AUDIT_FULL_IP: text,
});

/** The variables after parsing. */
export type Variables = z.output<typeof VARIABLES>;

/** A mail service with a form of its own; see mail/http-formats.ts. */
export type MailHttpFormat = Variables["MAIL_HTTP_FORMAT"];

/** How access tokens are signed: with a secret of this server, or so that others can verify them. */
export type SigningAlgorithm = Variables["JWT_SIGNING_ALG"];
