import { type Bytes, fromBase64Url, toBase64Url } from "../../shared/bytes.ts";
import type { SigninConfig } from "../config/config.ts";
import { invalidRequest } from "../errors.ts";
import {
  FLOW_COOKIES_MAX,
  FLOW_LIFETIME_SEC,
  PASSKEY_CHALLENGE_LIFETIME_SEC,
  PENDING_IDENTITY_LIFETIME_SEC,
} from "../limits.ts";

type CookieConfig = Pick<SigninConfig, "secure">;

// Browsers enforce the prefixes: `__Secure-` needs https, `__Host-` also the exact host that set the cookie.
// Safari drops Secure cookies on http://localhost, so plain http has plain names.
const REFRESH_NAME = { https: "__Secure-signin_rt", http: "signin_rt" };
const FLOW_PREFIX = { https: "__Host-signin_f_", http: "signin_f_" };
const PENDING_NAME = { https: "__Host-signin_id", http: "signin_id" };
const PASSKEY_NAME = { https: "__Host-signin_pk", http: "signin_pk" };
/** Of the binding cookie of passkeys. */
export const BINDING_BYTES = 32;
const FLOW_ID_CHARACTERS = 8;
const FLOW_ID = /^[\w-]{8}$/;

function nameOf(names: typeof REFRESH_NAME, { secure }: CookieConfig): string {
  return secure ? names.https : names.http;
}

/** The values of all cookies of a name. Two of them mean that another site set one. */
function valuesOf(headers: Headers, name: string): string[] {
  return cookiesOf(headers).flatMap((cookie) => (cookie.name === name ? cookie.value : []));
}

function cookiesOf(headers: Headers): { name: string; value: string }[] {
  return (headers.get("cookie") ?? "").split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    // Browsers send a nameless cookie without `=`. This server sets none.
    if (at < 0) return [];
    return { name: pair.slice(0, at).trim(), value: pair.slice(at + 1).trim() };
  });
}

interface Cookie {
  name: string;
  value: string;
  path: string;
  maxAgeSec: number;
}

function serialize({ secure }: CookieConfig, { name, value, path, maxAgeSec }: Cookie): string {
  const flags = `HttpOnly; ${secure ? "Secure; " : ""}SameSite=Lax`;
  return `${name}=${value}; Path=${path}; Max-Age=${maxAgeSec}; ${flags}`;
}

/** The refresh cookie: HTTP-only, for paths under `/auth` alone (Sign-in §4). */
export function refreshCookie(config: CookieConfig, token: string, maxAgeSec: number): string {
  return serialize(config, {
    name: nameOf(REFRESH_NAME, config),
    value: token,
    path: "/auth",
    maxAgeSec,
  });
}

export function clearedRefreshCookie(config: CookieConfig): string {
  return refreshCookie(config, "", 0);
}

/**
 * Undefined if the browser sent none.
 * @throws SigninError `invalid_request` if it sent two
 */
export function readRefreshCookie(config: CookieConfig, headers: Headers): string | undefined {
  const [token, ...others] = valuesOf(headers, nameOf(REFRESH_NAME, config));
  if (others.length > 0) throw invalidRequest("cookie: the refresh token came twice");
  return token === "" ? undefined : token;
}

/** The name of a flow's binding cookie. Each flow has its own, so that several tabs can sign in at once. */
export function flowCookieName(config: CookieConfig, stateHash: string): string {
  return nameOf(FLOW_PREFIX, config) + stateHash.slice(0, FLOW_ID_CHARACTERS);
}

/** Binds a flow to the browser that begins it: `sealed` is the flow itself. */
export function flowCookie(config: CookieConfig, stateHash: string, sealed: string): string {
  const name = flowCookieName(config, stateHash);
  return serialize(config, { name, value: sealed, path: "/", maxAgeSec: FLOW_LIFETIME_SEC });
}

export function clearedFlowCookie(config: CookieConfig, name: string): string {
  return serialize(config, { name, value: "", path: "/", maxAgeSec: 0 });
}

/** The flow's binding cookie; undefined if the browser sent none, or two. */
export function readFlowCookie(
  config: CookieConfig,
  headers: Headers,
  stateHash: string,
): string | undefined {
  const [value, ...others] = valuesOf(headers, flowCookieName(config, stateHash));
  return others.length === 0 ? value : undefined;
}

/** Keeps an identity without an account in its browser: `sealed` is the identity itself. */
export function pendingCookie(config: CookieConfig, sealed: string): string {
  return serialize(config, {
    name: nameOf(PENDING_NAME, config),
    value: sealed,
    path: "/",
    maxAgeSec: sealed === "" ? 0 : PENDING_IDENTITY_LIFETIME_SEC,
  });
}

export function clearedPendingCookie(config: CookieConfig): string {
  return pendingCookie(config, "");
}

/** The value of that cookie; undefined if the browser sent none, or two. */
export function readPendingCookie(config: CookieConfig, headers: Headers): string | undefined {
  const [value, ...others] = valuesOf(headers, nameOf(PENDING_NAME, config));
  return others.length === 0 ? value : undefined;
}

/** Binds the passkey challenges of a browser to it: one cookie for all of its tabs. */
export function passkeyCookie(config: CookieConfig, binding: Bytes): string {
  return serialize(config, {
    name: nameOf(PASSKEY_NAME, config),
    value: toBase64Url(binding),
    path: "/",
    maxAgeSec: binding.length === 0 ? 0 : PASSKEY_CHALLENGE_LIFETIME_SEC,
  });
}

export function clearedPasskeyCookie(config: CookieConfig): string {
  return passkeyCookie(config, new Uint8Array());
}

/** The bytes of the cookie; undefined if the browser sent none, two, or something else. */
export function readPasskeyBinding(config: CookieConfig, headers: Headers): Bytes | undefined {
  const [value = "", ...others] = valuesOf(headers, nameOf(PASSKEY_NAME, config));
  const binding = fromBase64Url(value);
  return others.length === 0 && binding?.length === BINDING_BYTES ? binding : undefined;
}

/** Binding cookies to clear before another one is set: the oldest. Browsers send cookies of equal paths in that order. */
export function excessFlowCookies(config: CookieConfig, headers: Headers): string[] {
  const prefix = nameOf(FLOW_PREFIX, config);
  const names = cookiesOf(headers).flatMap(({ name }) =>
    name.startsWith(prefix) && FLOW_ID.test(name.slice(prefix.length)) ? name : [],
  );
  return names.slice(0, Math.max(0, names.length - FLOW_COOKIES_MAX + 1));
}
