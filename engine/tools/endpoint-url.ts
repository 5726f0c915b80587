import { invalid } from "../errors.ts";

// Forms of an authority that URL parsers read differently.
const AMBIGUOUS = /[\\\s\p{Cc}]/u;
const HTTP_URL = /^https?:\/\/(?<authority>[^/?#]+)/i;

/**
 * An HTTP(S) URL without embedded credentials (Engine §2, tool rule 2).
 * @throws EngineError `invalid`
 */
export function checkEndpointUrl(url: string): void {
  const authority = HTTP_URL.exec(url)?.groups?.authority;
  if (authority === undefined || AMBIGUOUS.test(url) || !URL.canParse(url)) {
    throw invalid("endpointUrl: must be an HTTP or HTTPS URL.");
  }
  if (authority.includes("@")) throw invalid("endpointUrl: must not have embedded credentials.");
}
