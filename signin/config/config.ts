import { type Bytes, fromBase64Url, utf8 } from "../../shared/bytes.ts";
import { type Environment, parseEnv } from "../../shared/env.ts";
import { urlHost } from "../../shared/host.ts";
import { withoutTrailing } from "../../shared/without-trailing.ts";
import { DAY_SEC } from "../limits.ts";
import { toIssuer, toMailDomain, toOrigin } from "./addresses.ts";
import { checkTogether, isStrict, listenUrl, publicUrl, type Runtime } from "./rules.ts";
import { VARIABLES, type Variables } from "./variables.ts";

/** What a Worker has beside its variables. */
export interface Bindings {
  /** Whether `DB` is a D1 database. */
  hasD1: boolean;
}

/** The operator's configuration; see `parseConfig`. */
export type SigninConfig = Readonly<ReturnType<typeof toConfig>>;

/** `none`: staging and production without `MAIL_TRANSPORT`; e-mailed codes cannot be sent then. */
export type MailConfig =
  | { kind: "none" }
  | { kind: "log"; from: string }
  | {
      kind: "http";
      from: string;
      url: string;
      format: Variables["MAIL_HTTP_FORMAT"];
      token: string | undefined;
    }
  | { kind: "smtp"; from: string; url: string };

/** What names a login provider, whatever its kind. */
export interface ProviderName {
  kind: "oidc" | "oauth";
  slug: string;
  /** The issuer of the subjects, which identities keep: two issuers may give one subject to two users. */
  issuer: string;
  /** Whether the operator treats the subjects of an earlier issuer as those of this one. */
  acceptsIssuerChange: boolean;
}

interface ProviderConfig extends ProviderName {
  clientId: string;
  clientSecret: string;
}

/** The OpenID Connect provider. */
export interface OidcProviderConfig extends ProviderConfig {
  /** Undefined if the provider's metadata decide it. */
  tokenAuth: "basic" | "post" | undefined;
}

/** The OAuth 2.0 provider. */
export interface OAuthProviderConfig extends ProviderConfig {
  authorizeUrl: string;
  tokenUrl: string;
  apiUrl: string;
}

/**
 * Reads and checks every variable of variables.ts. It generates no secrets: node/development-secrets.ts does.
 * @throws BadConfiguration naming every bad variable; never a value.
 */
export function parseConfig(
  env: Environment,
  runtime: Runtime = "node",
  bindings: Bindings = { hasD1: false },
): SigninConfig {
  const schema = VARIABLES.superRefine(
    (read, context) => {
      const isEachGood = context.issues.length === 0;
      checkTogether(read, { runtime, ...bindings, isEachGood }, (name, message) =>
        context.addIssue({ code: "custom", path: [name], message }),
      );
    },
    // Also if a variable breaks its own rule: the operator sees every bad one at once.
    { when: () => true },
  );
  return toConfig(parseEnv(schema, trimmed(env)));
}

/** The keys of `TOKEN_ENCRYPTION_KEY` alone, for the operator's commands. @throws BadConfiguration */
export function parseEncryptionKeys(env: Environment): Bytes[] {
  return toEncryptionKeys(parseEnv(VARIABLES.pick({ TOKEN_ENCRYPTION_KEY: true }), trimmed(env)));
}

function trimmed(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      typeof value === "string" ? value.trim() : undefined,
    ]),
  );
}

function toConfig(env: Variables) {
  const baseUrl = new URL(publicUrl(env)).origin;
  const uiUrl = env.APP_UI_BASE_URL ?? `${baseUrl}/`;
  // In development the public address is a name, and clients use the address where the server listens, too.
  const listens = env.APP_BASE_URL === undefined ? [new URL(listenUrl(env))] : [];
  const own = [new URL(baseUrl), ...listens];
  const origins = [...own.map(({ origin }) => origin), new URL(uiUrl).origin];
  const { DATABASE_URL: databaseUrl } = env;
  return {
    env: env.APP_ENV,
    /** The public address without a trailing slash. All callback addresses begin with it. */
    baseUrl,
    /** Where successful browser flows return, exactly as configured. */
    uiUrl,
    docsUrl: env.DOCS_BASE_URL,
    /** The name of the service for people: on the page, in mails, and beside its passkeys. */
    appName: env.APP_NAME,
    /** An image for the page. Undefined: the page has a mark of its own. */
    logoUrl: env.APP_LOGO_URL,
    /** Whether the public address is https: decides names and flags of cookies, and HSTS. */
    secure: baseUrl.startsWith("https:"),
    /** `CORS_ALLOWED_ORIGINS`, the server's own origin and that of the user interface. */
    allowedOrigins: [
      ...new Set([...origins, ...env.CORS_ALLOWED_ORIGINS].flatMap((each) => toOrigin(each) ?? [])),
    ],
    /** `TRUSTED_HOSTS` and the host of the public address, lower case, with the port if one was given. */
    trustedHosts: [
      ...new Set([
        ...own.map(({ host }) => host),
        ...env.TRUSTED_HOSTS.map((host) => host.toLowerCase()),
      ]),
    ],
    /** Addresses or CIDRs whose `X-Forwarded-For` counts. */
    trustedProxies: env.TRUSTED_PROXIES,
    /** relying-party.ts derives the id if it is undefined. */
    passkeyRpId: env.PASSKEY_RP_ID,
    /** UTF-8 bytes: the first signs, all verify. */
    signingKeys: env.JWT_SECRET_KEY.map(utf8),
    /** Of access tokens. */
    signingAlgorithm: env.JWT_SIGNING_ALG,
    /** 32 bytes each: the first encrypts, all decrypt. */
    encryptionKeys: toEncryptionKeys(env),
    accessTokenAudience: env.ACCESS_TOKEN_AUDIENCE,
    session: {
      idleSec: env.SESSION_IDLE_DAYS * DAY_SEC,
      absoluteSec: env.SESSION_ABSOLUTE_DAYS * DAY_SEC,
      refreshGraceSec: env.REFRESH_LOST_RESPONSE_WINDOW,
    },
    /** Who may sign up, and the domains that narrow `open`, in ASCII; an empty list narrows nothing. */
    signUp: {
      rule: env.SIGNUP,
      domains: env.SIGNUP_ALLOWED_DOMAINS.flatMap((domain) => toMailDomain(domain) ?? []),
    },
    /** The names of the login providers, configured or not: stored connections use them. */
    slugs: { oidc: env.OIDC_PROVIDER_SLUG, oauth: env.OAUTH_PROVIDER_SLUG },
    /** Undefined if the provider is not configured: it is hidden. */
    oidc: toOidc(env),
    oauth: toOauth(env),
    mail: toMail(env),
    auditFullIp: env.AUDIT_FULL_IP === "1",
    /** Workers, and the command line against a remote server. */
    database: databaseUrl ? { url: databaseUrl, authToken: env.DATABASE_AUTH_TOKEN } : undefined,
    /** Node only. */
    listen: { host: urlHost(env.SIGNIN_HOST), port: env.SIGNIN_PORT },
    logLevel: env.SIGNIN_LOG_LEVEL,
    /** Node only: the bearer of `GET /metrics`. Undefined: there are no metrics. */
    metricsToken: env.METRICS_TOKEN,
  };
}

function toEncryptionKeys({
  TOKEN_ENCRYPTION_KEY: keys,
}: Pick<Variables, "TOKEN_ENCRYPTION_KEY">): Bytes[] {
  return keys.flatMap((key) => fromBase64Url(key) ?? []);
}

function toOidc(env: Variables): OidcProviderConfig | undefined {
  const { OIDC_PROVIDER_CLIENT_ID: clientId, OIDC_PROVIDER_CLIENT_SECRET: clientSecret } = env;
  if (clientId === undefined || clientSecret === undefined) return undefined;
  return {
    kind: "oidc",
    slug: env.OIDC_PROVIDER_SLUG,
    clientId,
    clientSecret,
    issuer: toIssuer(env.OIDC_PROVIDER_ISSUER),
    acceptsIssuerChange: env.OIDC_PROVIDER_ISSUER_CHANGED === "accept",
    tokenAuth: env.OIDC_PROVIDER_TOKEN_AUTH,
  };
}

function toOauth(env: Variables): OAuthProviderConfig | undefined {
  const { OAUTH_PROVIDER_CLIENT_ID: clientId, OAUTH_PROVIDER_CLIENT_SECRET: clientSecret } = env;
  if (clientId === undefined || clientSecret === undefined) return undefined;
  return {
    kind: "oauth",
    slug: env.OAUTH_PROVIDER_SLUG,
    clientId,
    clientSecret,
    // The API's origin is the issuer: its user ids are the subjects.
    issuer: new URL(env.OAUTH_PROVIDER_API_URL).origin,
    acceptsIssuerChange: env.OAUTH_PROVIDER_ISSUER_CHANGED === "accept",
    authorizeUrl: env.OAUTH_PROVIDER_AUTHORIZE_URL,
    tokenUrl: env.OAUTH_PROVIDER_TOKEN_URL,
    apiUrl: withoutTrailing(env.OAUTH_PROVIDER_API_URL, "/"),
  };
}

function toMail(env: Variables): MailConfig {
  const from = env.MAIL_FROM ?? "signin@localhost";
  switch (env.MAIL_TRANSPORT ?? (isStrict(env) ? "none" : "log")) {
    case "none":
      return { kind: "none" };
    case "log":
      return { kind: "log", from };
    case "http":
      return {
        kind: "http",
        from,
        url: env.MAIL_HTTP_URL ?? "",
        format: env.MAIL_HTTP_FORMAT,
        token: env.MAIL_HTTP_TOKEN,
      };
    case "smtp":
      return { kind: "smtp", from, url: env.MAIL_SMTP_URL ?? "" };
  }
}
