import { z } from "zod";
import type { Bytes } from "../shared/bytes.ts";
import { type Environment, parseEnv } from "../shared/env.ts";
import {
  isLoopback,
  parseHosts,
  parseOrigins,
  parseProviderUrl,
  parseProxies,
  parsePublicUrl,
  parseUiUrl,
} from "./config-addresses.ts";
import { parseMail } from "./config-mail.ts";
import {
  type OAuthProviderConfig,
  type OidcProviderConfig,
  parseOauth,
  parseOidc,
} from "./config-providers.ts";
import { differingSecrets, parseEncryptionKeys, parseSigningKeys } from "./config-secrets.ts";
import { DAY_SEC, REFRESH_GRACE_SEC, SESSION_ABSOLUTE_SEC, SESSION_IDLE_SEC } from "./limits.ts";

/** Where the program runs: Node has files and SMTP, Workers have neither. */
export type Rim = "node" | "workers";

/** What the operator decided; see `parseConfig`. */
export interface SigninConfig {
  env: "development" | "test" | "staging" | "production";
  /** The public address, without a trailing slash: all callback addresses begin with it. */
  baseUrl: string;
  /** Where successful browser flows return, exactly as configured. */
  uiUrl: string;
  webUrl: string | undefined;
  docsUrl: string | undefined;
  /** Whether the public address is https: decides names and flags of cookies, and HSTS. */
  secure: boolean;
  /** `CORS_ALLOWED_ORIGINS`, the server's own origin and that of the user interface. */
  allowedOrigins: readonly string[];
  /** `TRUSTED_HOSTS` and the host of the public address, lower case, with the port where one was given. */
  trustedHosts: readonly string[];
  /** Addresses or CIDRs whose `X-Forwarded-For` counts. */
  trustedProxies: readonly string[];
  /** The UTF-8 bytes of `JWT_SECRET_KEY`: the first signs, all verify. */
  signingKeys: readonly Bytes[];
  /** 32 bytes each: the first encrypts, all decrypt. */
  encryptionKeys: readonly Bytes[];
  accessTokenAudience: string;
  session: { idleSec: number; absoluteSec: number; refreshGraceSec: number };
  /** The names of the login providers, configured or not: connections of a hidden one are still there. */
  slugs: { oidc: string; oauth: string };
  /** Undefined where the provider is not configured: it is hidden. */
  oidc: OidcProviderConfig | undefined;
  oauth: OAuthProviderConfig | undefined;
  mail: MailConfig;
  auditFullIp: boolean;
  /** Workers, and the command line against a remote server. */
  database: { url: string; authToken: string | undefined } | undefined;
  /** Node only. `dataDirectory` is undefined where the platform's own is meant. */
  dataDirectory: string | undefined;
  listen: { host: string; port: number };
  logLevel: string;
}

/** `none`: staging and production without `MAIL_TRANSPORT`; e-mailed codes cannot be sent then. */
export type MailConfig =
  | { kind: "none" }
  | { kind: "log"; from: string }
  | { kind: "http"; from: string; url: string; token: string | undefined }
  | { kind: "smtp"; from: string; url: string };

/** The API-key providers (Sign-in §1): they can be connected and never sign anybody in. */
export const API_KEY_PROVIDERS = ["openai", "anthropic", "gemini"] as const;
export type ApiKeyProvider = (typeof API_KEY_PROVIDERS)[number];

const ENVIRONMENTS = ["development", "test", "staging", "production"] as const;
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];
// Paths under /auth that are not providers.
const RESERVED_SLUGS = ["native", "password", "signup", "sessions", "events"];

/** Reports one bad variable. The message must not hold a secret's value. */
export type Complain = (name: string, message: string) => void;
/** The variables that are set, trimmed. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks every variable of Sign-in §1 and of the decisions around it. Secrets are taken as given: what may be
 * generated in development is the Node rim's business.
 * @throws BadConfiguration naming every bad variable; never a secret's value.
 */
export function parseConfig(env: Environment, rim: Rim = "node"): SigninConfig {
  const schema = z.record(z.string(), z.string()).transform((given, context) => {
    const problems: string[] = [];
    const complain: Complain = (name, message) => {
      problems.push(name);
      context.addIssue({ code: "custom", path: [name], message });
    };
    const variables = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.trim() || undefined]),
    );
    const config = toConfig(variables, rim, complain);
    return problems.length === 0 && config ? config : z.NEVER;
  });
  return parseEnv(schema, env);
}

function toConfig(variables: Variables, rim: Rim, complain: Complain): SigninConfig | undefined {
  const env = oneOf(variables, "APP_ENV", ENVIRONMENTS, "development", complain);
  const strict = env === "staging" || env === "production";
  const listen = parseListen(variables, complain);
  const fallback = strict ? undefined : `http://${listen.host}:${listen.port}`;
  const baseUrl = parsePublicUrl(variables, strict, fallback, complain);
  const uiUrl = parseUiUrl(variables, strict, `${baseUrl}/`, complain);
  const signingKeys = parseSigningKeys(variables, strict, complain);
  const encryptionKeys = parseEncryptionKeys(variables, strict, complain);
  const slugs = parseSlugs(variables, complain);
  const oidc = parseOidc(variables, slugs.oidc, strict, complain);
  const oauth = parseOauth(variables, slugs.oauth, strict, complain);
  differingSecrets(variables, complain);
  return {
    env,
    baseUrl,
    uiUrl,
    webUrl: parseProviderUrl(variables, "WEB_BASE_URL", strict, complain),
    docsUrl: parseProviderUrl(variables, "DOCS_BASE_URL", strict, complain),
    secure: baseUrl.startsWith("https:"),
    allowedOrigins: parseOrigins(variables, [baseUrl, uiUrl], strict, complain),
    trustedHosts: parseHosts(variables, baseUrl, complain),
    trustedProxies: parseProxies(variables, strict, complain),
    signingKeys,
    encryptionKeys,
    accessTokenAudience: variables.ACCESS_TOKEN_AUDIENCE ?? "signin",
    session: parseSession(variables, complain),
    slugs,
    oidc,
    oauth,
    mail: parseMail(variables, { strict, rim }, complain),
    auditFullIp: variables.AUDIT_FULL_IP === "1",
    database: parseDatabase(variables, { strict, rim }, complain),
    dataDirectory: variables.SIGNIN_DATA_DIR,
    listen,
    logLevel: oneOf(variables, "SIGNIN_LOG_LEVEL", LOG_LEVELS, "info", complain),
  };
}

function parseListen(variables: Variables, complain: Complain) {
  const port = wholeNumber(
    variables,
    "SIGNIN_PORT",
    { least: 0, most: 65_535, other: 8787 },
    complain,
  );
  const host = (variables.SIGNIN_HOST ?? "127.0.0.1").replace(/^\[(.*)\]$/, "$1");
  return { host: host.includes(":") ? `[${host}]` : host, port };
}

function parseSlugs(variables: Variables, complain: Complain): SigninConfig["slugs"] {
  const oidc = variables.OIDC_PROVIDER_SLUG ?? "google";
  const oauth = variables.OAUTH_PROVIDER_SLUG ?? "github";
  const taken: string[] = [...API_KEY_PROVIDERS, ...RESERVED_SLUGS];
  for (const [name, slug] of [
    ["OIDC_PROVIDER_SLUG", oidc],
    ["OAUTH_PROVIDER_SLUG", oauth],
  ] as const) {
    if (!/^[a-z0-9][a-z0-9_-]{0,31}$/.test(slug)) {
      complain(name, "must be 1 to 32 characters of a-z, 0-9, - and _.");
    }
    if (taken.includes(slug)) complain(name, "is the name of something else already.");
    taken.push(slug);
  }
  return { oidc, oauth };
}

function parseSession(variables: Variables, complain: Complain): SigninConfig["session"] {
  const days = (name: string, other: number) =>
    wholeNumber(variables, name, { least: 1, most: 3650, other }, complain);
  const idle = days("SESSION_IDLE_DAYS", SESSION_IDLE_SEC / DAY_SEC);
  const absolute = days("SESSION_ABSOLUTE_DAYS", SESSION_ABSOLUTE_SEC / DAY_SEC);
  if (idle > absolute) complain("SESSION_IDLE_DAYS", "must not exceed SESSION_ABSOLUTE_DAYS.");
  // Well below the life of an access token: see tokens/refresh-session.ts for the theft that a longer one would hide.
  const range = { least: 0, most: 540, other: REFRESH_GRACE_SEC };
  const grace = wholeNumber(variables, "REFRESH_LOST_RESPONSE_WINDOW", range, complain);
  return { idleSec: idle * DAY_SEC, absoluteSec: absolute * DAY_SEC, refreshGraceSec: grace };
}

function parseDatabase(
  variables: Variables,
  { strict, rim }: { strict: boolean; rim: Rim },
  complain: Complain,
) {
  const name = "DATABASE_URL";
  const given = variables[name]?.replace(/^libsql:/, "https:");
  // A database server of this machine needs no TLS: how `signin:edge` tries production settings.
  const isLocal = isLoopback(URL.parse(given ?? "")?.origin ?? "");
  const url = parseProviderUrl({ [name]: given }, name, strict && !isLocal, complain);
  if (rim === "workers" && !given)
    complain(name, "must be set: the https address of a libSQL server.");
  return url === undefined ? undefined : { url, authToken: variables.DATABASE_AUTH_TOKEN };
}

function oneOf<const Value extends string>(
  variables: Variables,
  name: string,
  values: readonly Value[],
  other: NoInfer<Value>,
  complain: Complain,
): Value {
  const given = variables[name];
  if (given === undefined) return other;
  const known = values.find((value) => value === given);
  if (known === undefined) complain(name, `must be one of ${values.join(", ")}.`);
  return known ?? other;
}

function wholeNumber(
  variables: Variables,
  name: string,
  { least, most, other }: { least: number; most: number; other: number },
  complain: Complain,
): number {
  const given = variables[name];
  if (given === undefined) return other;
  const value = /^\d{1,6}$/.test(given) ? Number(given) : Number.NaN;
  if (value >= least && value <= most) return value;
  complain(name, `must be a whole number from ${least} to ${most}.`);
  return other;
}
