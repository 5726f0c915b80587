import { commaSeparated } from "../shared/env.ts";
import type { Complain, Variables } from "./config.ts";
import { isMappedV4, type Network, networkHas, parseNetwork } from "./http/network.ts";

/** `APP_BASE_URL`: scheme, host and port alone, so that callback addresses are exact. */
export function parsePublicUrl(
  variables: Variables,
  strict: boolean,
  fallback: string | undefined,
  complain: Complain,
): string {
  const name = "APP_BASE_URL";
  const given = variables[name] ?? fallback;
  const url = URL.parse(given ?? "");
  if (given === undefined) complain(name, "must be set: the server's public address.");
  else if (!url || !/^https?:$/.test(url.protocol)) complain(name, "must be an http or https URL.");
  else if (url.pathname !== "/" || /[?#@]/.test(given)) {
    complain(name, "must have no path, query, fragment or user name.");
  } else if (strict && url.protocol !== "https:") {
    complain(name, "must be https in staging and production.");
  }
  return url?.origin ?? "";
}

/** `APP_UI_BASE_URL`, kept as it was written: `?auth=success` is put behind it. */
export function parseUiUrl(
  variables: Variables,
  strict: boolean,
  fallback: string,
  complain: Complain,
): string {
  const name = "APP_UI_BASE_URL";
  const given = variables[name];
  if (given === undefined) {
    if (strict) complain(name, "must be set: where browsers return after sign-in.");
    return fallback;
  }
  checkUrl(name, given, strict, complain);
  if (/[?#@]/.test(given)) complain(name, "must have no query, fragment or user name.");
  return given;
}

/** An optional http(s) address. Plain http is for development and tests (Sign-in §1). */
export function parseProviderUrl(
  variables: Variables,
  name: string,
  strict: boolean,
  complain: Complain,
): string | undefined {
  const given = variables[name];
  if (given !== undefined) checkUrl(name, given, strict, complain);
  return given;
}

function checkUrl(name: string, given: string, strict: boolean, complain: Complain): void {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol)) complain(name, "must be an http or https URL.");
  else if (url.username !== "" || url.password !== "") complain(name, "must have no user name.");
  else if (strict && url.protocol !== "https:") {
    complain(name, "must be https in staging and production.");
  }
}

/** `CORS_ALLOWED_ORIGINS` and the origins of `own` addresses. */
export function parseOrigins(
  variables: Variables,
  own: readonly string[],
  strict: boolean,
  complain: Complain,
): string[] {
  const name = "CORS_ALLOWED_ORIGINS";
  const listed = commaSeparated(variables[name]).flatMap((text) => {
    const origin = toOrigin(text);
    if (origin === undefined) {
      complain(name, "must list origins such as https://app.example.com: no path, no *, no null.");
      return [];
    }
    if (strict && origin.startsWith("http:") && !isLoopback(origin)) {
      complain(name, "must list https origins in staging and production.");
    }
    return [origin];
  });
  const owned = own.flatMap((address) => toOrigin(URL.parse(address)?.origin ?? "") ?? []);
  return [...new Set([...owned, ...listed])];
}

function toOrigin(text: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@*\s]+\/?$/i.test(text)) return undefined;
  const url = URL.parse(text);
  if (!url) return undefined;
  // Schemes of native shells (tauri://localhost) have an opaque origin for URL, and their text for a browser.
  return url.origin === "null" ? text.toLowerCase().replace(/\/$/, "") : url.origin;
}

/** Whether an origin is plain http on this machine. */
export function isLoopback(origin: string): boolean {
  return /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin);
}

/** `TRUSTED_HOSTS` and the host of the public address. A name without a port goes with every port. */
export function parseHosts(variables: Variables, baseUrl: string, complain: Complain): string[] {
  const name = "TRUSTED_HOSTS";
  const hosts = commaSeparated(variables[name]).map((host) => host.toLowerCase());
  if (
    !hosts.every((host) => /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/.test(host))
  ) {
    complain(name, "must list host names such as auth.example.com: no scheme, no path, no *.");
  }
  const own = URL.parse(baseUrl)?.host;
  return [...new Set([...(own ? [own] : []), ...hosts])];
}

/** `TRUSTED_PROXIES`: addresses or CIDRs. */
export function parseProxies(variables: Variables, strict: boolean, complain: Complain): string[] {
  const name = "TRUSTED_PROXIES";
  const proxies = commaSeparated(variables[name]);
  const networks = proxies.flatMap((text) => parseNetwork(text) ?? []);
  if (networks.length < proxies.length) {
    complain(name, "must list addresses or CIDRs such as 10.0.0.0/8.");
  } else if (strict && networks.some(isTooWide)) {
    complain(
      name,
      "must list networks of your own: a CIDR this wide lets clients choose addresses.",
    );
  }
  return proxies;
}

// 10.0.0.0/8 and fc00::/7 are the widest networks that one operator has. IPv4 is kept as ::ffff:0:0/96.
function isTooWide(network: Network): boolean {
  const isV4 = network.prefixBits >= 96 && isMappedV4(network.bytes);
  return isV4
    ? network.prefixBits < 96 + 8
    : network.prefixBits < 7 || networkHas(network, "0.0.0.0");
}
