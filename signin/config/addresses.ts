/** Whether a text is an http or https URL. */
export function isWebUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

/** Whether a URL has neither user name nor password. */
export function hasNoCredentials(text: string): boolean {
  const url = URL.parse(text);
  return url === null || (url.username === "" && url.password === "");
}

/** Whether a URL is scheme, host and port alone, so that callback addresses are exact. */
export function isBareOrigin(text: string): boolean {
  return (URL.parse(text)?.pathname ?? "/") === "/" && !/[?#@]/.test(text);
}

/** The origin as browsers send it; undefined if the text is no origin. */
export function toOrigin(text: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@*\s]+\/?$/i.test(text)) return undefined;
  const url = URL.parse(text);
  if (!url) return undefined;
  // For the opaque origin of a native shell (tauri://localhost) URL says `null`; browsers send its text.
  return url.origin === "null" ? text.toLowerCase().replace(/\/$/, "") : url.origin;
}

/** Whether an origin is plain http on this machine. */
export function isLoopbackOrigin(origin: string): boolean {
  return /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin);
}

/** Whether a text is a host name in lower case, without a port. */
export function isHostName(text: string): boolean {
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(text) && !/(^|\.)\d+$/.test(text);
}

/** A domain as normal forms of e-mail addresses have it (UTS 46). Undefined if the text is none. */
export function toMailDomain(text: string): string | undefined {
  if (/[\s/?#@:%\\]/.test(text)) return undefined;
  const host = URL.parse(`http://${text}`)?.hostname ?? "";
  return host.includes(".") && isHostName(host) ? host : undefined;
}

/** Whether `name` is `host` or one of its parent domains. */
export function isDomainOf(name: string, host: string): boolean {
  return host === name || host.endsWith(`.${name}`);
}

/** One spelling of an issuer: discovery accepts a host in any case, with or without a trailing slash. */
export function toIssuer(given: string): string {
  const url = new URL(given);
  return url.href === `${url.origin}/` ? url.origin : url.href;
}
