import { fromBase64Url, utf8 } from "../../shared/bytes.ts";
import { urlHost } from "../../shared/host.ts";
import { isDomainOf, isLoopbackOrigin, isWebUrl, toOrigin } from "./addresses.ts";
import { isTooWide } from "./network.ts";
import { isProviderName } from "./presets.ts";
import type { LoginProviderConfig } from "./provider-config.ts";
import { listAddresses } from "./providers.ts";
import { isMonotonous, listSharedSecrets } from "./secrets.ts";
import type { Variables } from "./variables.ts";

/** Where the program runs: Node has files and SMTP, Workers have neither. */
export type Runtime = "node" | "workers";

/** Reports one bad variable. The message must not hold a value. */
export type Refuse = (name: string, message: string) => void;

/** Whether the environment requires https and random keys. */
export function isStrict({ APP_ENV }: Pick<Variables, "APP_ENV">): boolean {
  return APP_ENV === "staging" || APP_ENV === "production";
}

interface Circumstances {
  runtime: Runtime;
  hasD1: boolean;
  /** Whether each variable keeps its own rule. */
  isEachGood: boolean;
  /** Those of `PROVIDERS`. */
  providers: readonly LoginProviderConfig[];
}

/** The rules that join several variables. */
export function checkTogether(
  env: Variables,
  { runtime, hasD1, isEachGood, providers }: Circumstances,
  refuse: Refuse,
): void {
  requirePairs(env, refuse);
  requireDifferentSecrets(env, providers, refuse);
  requireOneProviderForSlug(env, refuse);
  requireMail(env, runtime, refuse);
  if (isStrict(env)) requireStrictness(env, providers, refuse);
  // A bad host or port has its own sentence.
  else if (isEachGood && env.APP_BASE_URL === undefined && !isWebUrl(listenUrl(env))) {
    refuse("APP_BASE_URL", "must be an http or https URL");
  }
  if (runtime === "workers" && env.DATABASE_URL === undefined && !hasD1) {
    refuse(
      "DATABASE_URL",
      "must be set: the https address of a libSQL server; or bind a D1 database as DB",
    );
  }
  if (hasD1 && env.DATABASE_URL !== undefined) {
    refuse("DATABASE_URL", "must not be set beside the D1 binding DB: choose one of the two");
  }
  requireOwnRpId(env, refuse);
  if (env.OAUTH_PROVIDER_SLUG === env.OIDC_PROVIDER_SLUG) {
    refuse("OAUTH_PROVIDER_SLUG", "must differ from OIDC_PROVIDER_SLUG");
  }
  if (env.SESSION_IDLE_DAYS > env.SESSION_ABSOLUTE_DAYS) {
    refuse("SESSION_IDLE_DAYS", "must not exceed SESSION_ABSOLUTE_DAYS");
  }
}

/** The public address. Development needs none: browsers have passkeys for `localhost`, and none for an IP address. */
export function publicUrl(
  env: Pick<Variables, "APP_ENV" | "APP_BASE_URL" | "SIGNIN_HOST" | "SIGNIN_PORT">,
): string {
  const isLocal = env.APP_ENV === "development" && env.SIGNIN_HOST === "127.0.0.1";
  return env.APP_BASE_URL ?? listenUrl(isLocal ? { ...env, SIGNIN_HOST: "localhost" } : env);
}

/** The address of SIGNIN_HOST and SIGNIN_PORT. */
export function listenUrl({
  SIGNIN_HOST: host,
  SIGNIN_PORT: port,
}: Pick<Variables, "SIGNIN_HOST" | "SIGNIN_PORT">): string {
  return `http://${urlHost(host)}:${port}`;
}

const PAIRS = [
  ["OIDC_PROVIDER_CLIENT_ID", "OIDC_PROVIDER_CLIENT_SECRET", "OIDC_PROVIDER_SLUG"],
  ["OAUTH_PROVIDER_CLIENT_ID", "OAUTH_PROVIDER_CLIENT_SECRET", "OAUTH_PROVIDER_SLUG"],
] as const;

/** Both or neither (Sign-in §1, configuration rules). */
function requirePairs(env: Variables, refuse: Refuse): void {
  for (const [id, secret] of PAIRS) {
    if ((env[id] === undefined) === (env[secret] === undefined)) continue;
    const [missing, given] = env[id] === undefined ? [id, secret] : [secret, id];
    refuse(missing, `must be set if ${given} is; or leave out both`);
  }
}

/** Browsers accept the page's own host or a parent domain of it; a single label only if it is the host. */
function requireOwnRpId(env: Variables, refuse: Refuse): void {
  const { PASSKEY_RP_ID: rpId } = env;
  if (rpId === undefined) return;
  const urls = [publicUrl(env), env.APP_UI_BASE_URL ?? ""];
  const hosts = urls.flatMap((url) => URL.parse(url)?.hostname ?? []);
  const isOwn = hosts.some((host) => (rpId.includes(".") ? isDomainOf(rpId, host) : rpId === host));
  if (isOwn) return;
  refuse(
    "PASSKEY_RP_ID",
    "must be the host of APP_BASE_URL or APP_UI_BASE_URL, or a parent domain",
  );
}

const SECRETS = [
  "JWT_SECRET_KEY",
  "TOKEN_ENCRYPTION_KEY",
  "OIDC_PROVIDER_CLIENT_SECRET",
  "OAUTH_PROVIDER_CLIENT_SECRET",
  "MAIL_HTTP_TOKEN",
  "DATABASE_AUTH_TOKEN",
  "METRICS_TOKEN",
] as const;

function requireDifferentSecrets(
  env: Variables,
  providers: readonly LoginProviderConfig[],
  refuse: Refuse,
): void {
  const secrets = [
    ...SECRETS.map((name) => [name, [env[name] ?? []].flat()]),
    ...providers.map(({ variables, clientSecret }) => [
      `${variables}_CLIENT_SECRET`,
      clientSecret === "" ? [] : [clientSecret],
    ]),
  ];
  for (const { name, other } of listSharedSecrets(Object.fromEntries(secrets))) {
    refuse(name, `must differ from ${other}`);
  }
}

/** None of `PROVIDERS` twice, nor beside a configured one of the specified pair. */
function requireOneProviderForSlug(env: Variables, refuse: Refuse): void {
  const names = env.PROVIDERS.filter(isProviderName);
  const taken = new Map(
    PAIRS.flatMap(([id, , slug]) => (env[id] === undefined ? [] : [[env[slug], slug]])),
  );
  for (const [at, name] of names.entries()) {
    if (names.indexOf(name) < at) refuse("PROVIDERS", `names ${name} twice`);
    const other = taken.get(name);
    if (other) refuse("PROVIDERS", `names ${name}, which is ${other}, too: use one of the two`);
  }
}

function requireMail(env: Variables, runtime: Runtime, refuse: Refuse): void {
  const { MAIL_TRANSPORT: transport } = env;
  if (transport === "log" && isStrict(env)) {
    refuse("MAIL_TRANSPORT", "`log` shows codes in the log: not in staging or production");
  }
  if (transport === "http" && env.MAIL_HTTP_URL === undefined) {
    refuse("MAIL_HTTP_URL", "must be set if MAIL_TRANSPORT is http");
  }
  // The first format is also that of servers which need no token.
  const needsToken = env.MAIL_HTTP_FORMAT !== "resend";
  if (transport === "http" && needsToken && env.MAIL_HTTP_TOKEN === undefined) {
    refuse("MAIL_HTTP_TOKEN", "must be set: this MAIL_HTTP_FORMAT needs the service's API key");
  }
  if (transport !== "smtp") return;
  if (runtime === "workers") refuse("MAIL_TRANSPORT", "`smtp` works on Node only; use http");
  if (!/^smtps?:\/\/[^/]/.test(env.MAIL_SMTP_URL ?? "")) {
    refuse("MAIL_SMTP_URL", "must be an smtp:// or smtps:// URL");
  }
}

const HTTPS_ONLY = [
  "APP_BASE_URL",
  "APP_UI_BASE_URL",
  "WEB_BASE_URL",
  "DOCS_BASE_URL",
  "APP_LOGO_URL",
  "OIDC_PROVIDER_ISSUER",
  "OAUTH_PROVIDER_AUTHORIZE_URL",
  "OAUTH_PROVIDER_TOKEN_URL",
  "OAUTH_PROVIDER_API_URL",
  "MAIL_HTTP_URL",
  "DATABASE_URL",
] as const;

/** The rules of staging and production alone. */
function requireStrictness(
  env: Variables,
  providers: readonly LoginProviderConfig[],
  refuse: Refuse,
): void {
  if (!env.APP_BASE_URL) refuse("APP_BASE_URL", "must be set: the server's public address");
  if (!env.APP_UI_BASE_URL) {
    refuse("APP_UI_BASE_URL", "must be set: where browsers return after sign-in");
  }
  for (const name of HTTPS_ONLY) {
    const url = URL.parse(env[name] ?? "");
    // A database server on this machine needs no TLS: `signin:edge` has one with production settings.
    const isLocal = name === "DATABASE_URL" && isLoopbackOrigin(url?.origin ?? "");
    if (url?.protocol === "http:" && !isLocal) {
      refuse(name, "must be https in staging and production");
    }
  }
  for (const [name, url] of providers.flatMap(listAddresses)) {
    if (URL.parse(url)?.protocol === "http:")
      refuse(name, "must be https in staging and production");
  }
  const origins = env.CORS_ALLOWED_ORIGINS.map((text) => toOrigin(text) ?? "");
  if (origins.some((origin) => origin.startsWith("http:") && !isLoopbackOrigin(origin))) {
    refuse("CORS_ALLOWED_ORIGINS", "must list https origins in staging and production");
  }
  if (env.TRUSTED_PROXIES.some(isTooWide)) {
    const rule = "must list your own networks: a CIDR this wide lets clients choose their address";
    refuse("TRUSTED_PROXIES", rule);
  }
  if (env.JWT_SECRET_KEY.some((key) => isMonotonous(utf8(key)))) {
    refuse("JWT_SECRET_KEY", "is not random: use 64 random hex digits");
  }
  const encryptionKeys = env.TOKEN_ENCRYPTION_KEY.flatMap((key) => fromBase64Url(key) ?? []);
  if (encryptionKeys.some(isMonotonous)) {
    refuse("TOKEN_ENCRYPTION_KEY", "is not random: use 32 random bytes");
  }
  const sends = env.MAIL_TRANSPORT === "http" || env.MAIL_TRANSPORT === "smtp";
  if (sends && !env.MAIL_FROM) refuse("MAIL_FROM", "must be set: it is the sender of every mail");
}
