import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWK,
  type JWSHeaderParameters,
} from "jose";
import { readBytes } from "../../shared/http/json-body.ts";
import { isJsonObject } from "../../shared/json.ts";
import { KIB } from "../../shared/units.ts";
import { PUBLIC_DOCUMENT_LIFETIME_SEC } from "../public-limits.ts";
import type { Fetch } from "./fetch.ts";

/** The keys are fetched again for an unknown key id, and when they are this old. */
const REFETCH_MS = 60_000;
const KEYS_LIFETIME_MS = PUBLIC_DOCUMENT_LIFETIME_SEC * 1000;
/** While the issuer does not answer, the last keys serve for an hour: jose keeps those of a fetch for KEYS_LIFETIME_MS. */
const KEYS_STALE_MS = 60 * 60_000 - KEYS_LIFETIME_MS;
const FAILURE_MS = 10_000;
const KEYS_MAX = 32;
const KEYS_BYTES_MAX = 64 * KIB;
const FETCH_TIMEOUT_MS = 5_000;

/** Where the keys are: at `jwks`, or where the metadata of the issuer say. */
interface KeySource {
  issuer: string;
  jwks: string | undefined;
  fetch: Fetch;
}

/** The key of a token's header. @throws JWKSNoMatchingKey for a key id that is not published; what the fetch failed with */
export type FindKey = (header: JWSHeaderParameters) => Promise<CryptoKey>;

/**
 * jose's remote key set. This decides which of its fetches reach the issuer: one a minute for unknown key ids, and none within
 * ten seconds of a failure.
 */
export function createRemoteKeys(source: KeySource): FindKey {
  const address = source.jwks ?? `${source.issuer}/.well-known/jwks.json`;
  let good: { keys: JSONWebKeySet; at: number } | undefined;
  let failed: { error: unknown; at: number } | undefined;
  let refetchedAt = Number.NEGATIVE_INFINITY;

  async function load(init: RequestInit): Promise<JSONWebKeySet> {
    const now = Date.now();
    if (good && now - good.at >= KEYS_STALE_MS) good = undefined;
    const isFirst = good === undefined;
    const isDue = isFirst
      ? !failed || now - failed.at >= FAILURE_MS
      : now - refetchedAt >= REFETCH_MS;
    if (isDue) {
      try {
        const url = source.jwks ?? (await findAddress(source, init)) ?? address;
        good = { keys: readKeySet(await fetchDocument(source.fetch, url, init)), at: now };
        failed = undefined;
      } catch (error) {
        failed = { error, at: now };
      }
      if (!isFirst) refetchedAt = now;
    }
    if (good) return good.keys;
    throw failed?.error;
  }

  const find = createRemoteJWKSet(new URL(address), {
    timeoutDuration: FETCH_TIMEOUT_MS,
    cooldownDuration: 0,
    cacheMaxAge: KEYS_LIFETIME_MS,
    [customFetch]: async (_url, init) => Response.json(await load(init)),
  });
  return (header) =>
    find(header).catch((error: unknown) => {
      // The issuer may publish the key by now.
      throw error instanceof errors.JWKSNoMatchingKey && failed ? failed.error : error;
    });
}

/** The Ed25519 keys of a JSON Web Key Set, each key id once; others are left out. @throws TypeError if it is no key set */
export function readKeySet(document: unknown): JSONWebKeySet {
  const list = isJsonObject(document) ? document.keys : undefined;
  if (!Array.isArray(list)) throw new TypeError("This is no JSON Web Key Set.");
  const keys = new Map<string, JWK>();
  for (const jwk of list.slice(0, KEYS_MAX) as (JWK | null)[]) {
    const { kty, crv, x, kid, alg = "EdDSA", use = "sig" } = jwk ?? {};
    if (kty !== "OKP" || crv !== "Ed25519" || alg !== "EdDSA" || use !== "sig") continue;
    if (typeof kid !== "string" || typeof x !== "string" || !/^[\w-]{43}$/.test(x)) continue;
    // Only the public members.
    keys.set(kid, { kty, crv, x, kid });
  }
  return { keys: [...keys.values()] };
}

/** What the metadata of the issuer (RFC 8414) say; undefined if there are none. */
async function findAddress(
  { issuer, fetch }: KeySource,
  init: RequestInit,
): Promise<string | undefined> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === "/" ? "" : pathname;
  const url = `${origin}/.well-known/oauth-authorization-server${path}`;
  const found = await fetchDocument(fetch, url, init);
  if (found === undefined) return undefined;
  // Section 3.3: metadata of another issuer must not be used.
  if (!isJsonObject(found) || found.issuer !== issuer)
    throw new Error(`${url} is of another issuer.`);
  return typeof found.jwks_uri === "string" ? found.jwks_uri : undefined;
}

/** A document as JSON; undefined if there is none (404). @throws if the server does not answer, or otherwise */
async function fetchDocument(fetcher: Fetch, url: string, init: RequestInit): Promise<unknown> {
  const response = await fetcher(url, init);
  if (response.status !== 200) {
    await response.body?.cancel();
    if (response.status === 404) return undefined;
    throw new Error(`${url} has status ${response.status}.`);
  }
  const bytes = await readBytes(response, KEYS_BYTES_MAX);
  if (!bytes) throw new Error(`${url} is too large.`);
  return JSON.parse(new TextDecoder().decode(bytes));
}
