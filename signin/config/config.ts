import { type Bytes, fromBase64Url, utf8 } from "../../shared/bytes.ts";
import { type Environment, parseEnv } from "../../shared/env.ts";
import { urlHost } from "../../shared/host.ts";
import { DAY_SEC } from "../limits.ts";
import { toMailDomain, toOrigin } from "./addresses.ts";
import { isProviderName } from "./presets.ts";
import type { LoginProviderConfig } from "./provider-config.ts";
import { readProviders } from "./providers.ts";
import {
  checkTogether,
  isStrict,
  listenUrl,
  publicUrl,
  type Refuse,
  type Runtime,
} from "./rules.ts";
import { toSpecifiedProviders } from "./specified-providers.ts";
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

/**
 * Reads and checks every variable of variables.ts. It generates no secrets: node/development-secrets.ts does.
 * @throws BadConfiguration naming every bad variable; never a value.
 */
export function parseConfig(
  env: Environment,
  runtime: Runtime = "node",
  bindings: Bindings = { hasD1: false },
): SigninConfig {
  const given = trimmed(env);
  const listed: LoginProviderConfig[] = [];
  const schema = VARIABLES.superRefine(
    (read, context) => {
      const isEachGood = context.issues.length === 0;
      const { providers, faults } = readProviders(read.PROVIDERS.filter(isProviderName), given);
      const refuse: Refuse = (name, message) =>
        context.addIssue({ code: "custom", path: [name], message });
      for (const fault of faults) refuse(...fault);
      checkTogether(read, { runtime, ...bindings, isEachGood, providers }, refuse);
      listed.push(...providers);
    },
    // Also if a variable breaks its own rule: the operator sees every bad one at once.
    { when: () => true },
  );
  return toConfig(parseEnv(schema, given), listed);
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

function toConfig(env: Variables, listed: readonly LoginProviderConfig[]) {
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
    /** The names of the specified login providers, configured or not: stored connections use them. */
    slugs: { oidc: env.OIDC_PROVIDER_SLUG, oauth: env.OAUTH_PROVIDER_SLUG },
    /** The configured login providers: the specified ones first, then those of `PROVIDERS`. */
    providers: [...toSpecifiedProviders(env), ...listed],
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
