import { REDIRECT_TO_CHARACTERS_MAX } from "../limits.ts";

// On the text as it came: URL would turn decimal, octal and full-width hosts into 127.0.0.1, drop port 80 and hide a `#`.
const LOOPBACK =
  /^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):([1-9][0-9]{0,4})(\/[A-Za-z0-9\-._~!$&'()*+,;=:@%/]*)?(\?[A-Za-z0-9\-._~!$&'()*+,;=:@%/?]*)?$/;
const PORT_MAX = 65_535;
// What the server itself puts there.
const OWN_PARAMETERS = ["code", "state", "error", "iss"];

/** Whether a native client may be answered at this address (Sign-in §4, native PKCE rules 3). */
export function isLoopbackRedirect(text: string): boolean {
  if (text.length > REDIRECT_TO_CHARACTERS_MAX) return false;
  const [whole, host, port] = LOOPBACK.exec(text) ?? [];
  if (whole === undefined || Number(port) > PORT_MAX) return false;
  const url = URL.parse(text);
  if (url?.protocol !== "http:" || url.hostname !== host || url.hash !== "") return false;
  return !OWN_PARAMETERS.some((name) => url.searchParams.has(name));
}

/** The address with parameters added, otherwise as the client wrote it. */
export function withParameters(redirectTo: string, parameters: Record<string, string>): string {
  const query = new URLSearchParams(parameters);
  const hasPath = /^http:\/\/[^/?]+[/]/.test(redirectTo);
  const [address, existing] = redirectTo.split(/\?(.*)/s, 2);
  const path = hasPath ? "" : "/";
  return `${address}${path}?${existing ? `${existing}&` : ""}${query}`;
}
