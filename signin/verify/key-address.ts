import { readBytes } from "../../shared/http/json-body.ts";
import { FETCH_TIMEOUT_MS, KEYS_BYTES_MAX } from "./limits.ts";

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** A document as JSON; undefined where there is none (404). @throws where the server does not answer, or otherwise */
export async function fetchDocument(fetcher: Fetch, url: string): Promise<unknown> {
  const response = await fetcher(url, {
    headers: { accept: "application/json" },
    // workerd throws on "error".
    redirect: "manual",
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    if (response.status === 404) return undefined;
    throw new Error(`${url} has status ${response.status}.`);
  }
  const bytes = await readBytes(response, KEYS_BYTES_MAX);
  if (!bytes) throw new Error(`${url} is too large.`);
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** Where an issuer publishes its keys: what its metadata (RFC 8414) say, else `/.well-known/jwks.json`. */
export async function resolveKeyAddress(fetcher: Fetch, issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === "/" ? "" : pathname;
  const metadataUrl = `${origin}/.well-known/oauth-authorization-server${path}`;
  const found = (await fetchDocument(fetcher, metadataUrl)) as Partial<Metadata> | undefined | null;
  // Section 3.3: metadata of another issuer must not be used.
  if (found && found.issuer !== issuer) throw new Error(`${metadataUrl} is of another issuer.`);
  const { jwks_uri: address } = found ?? {};
  return typeof address === "string" ? address : `${issuer}/.well-known/jwks.json`;
}

interface Metadata {
  issuer: unknown;
  jwks_uri: unknown;
}
