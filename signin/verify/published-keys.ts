import { importJWK, type JWK } from "jose";
import { isJsonObject } from "../../shared/json.ts";
import {
  FETCH_LEASE_MS,
  FETCH_POLL_MS,
  KEYS_LIFETIME_MS,
  KEYS_MAX,
  KEYS_STALE_MS,
  REFETCH_MS,
} from "./limits.ts";

/** Public keys by their `kid`. */
export type PublicKeys = ReadonlyMap<string, CryptoKey>;

/** The issuer's keys, wherever they come from. */
export interface PublishedKeys {
  /** Undefined for a `kid` that the issuer does not publish. @throws what the fetch failed with */
  find(kid: string): Promise<CryptoKey | undefined>;
}

/**
 * Keys that `load` fetches: kept, and fetched again for an unknown `kid` and when they are ten minutes old, at most once a
 * minute. While the issuer does not answer, the kept ones serve for an hour.
 *
 * Calls share values, never promises: workerd lets no request wait for what another one began. So a call that fetches
 * leaves a mark with the time, and the others look again and again. The mark of a call that vanished runs out.
 */
export function createPublishedKeys(load: () => Promise<PublicKeys>): PublishedKeys {
  let kept: { keys: PublicKeys; fetchedAt: number } | undefined;
  let fetching: { since: number } | undefined;
  let refetch: { at: number; error?: unknown } | undefined;

  async function fetchKeys(now: number): Promise<PublicKeys> {
    const own = { since: now };
    fetching = own;
    try {
      const keys = await load();
      kept = { keys, fetchedAt: now };
      return keys;
    } finally {
      if (fetching === own) fetching = undefined;
    }
  }

  return {
    async find(kid) {
      for (;;) {
        const now = Date.now();
        if (kept && now - kept.fetchedAt >= KEYS_STALE_MS) kept = undefined;
        const known = kept?.keys.get(kid);
        if (known && kept && now - kept.fetchedAt < KEYS_LIFETIME_MS) return known;
        if (fetching && now - fetching.since < FETCH_LEASE_MS) {
          if (known) return known;
          await new Promise<void>((resolve) => setTimeout(resolve, FETCH_POLL_MS));
          continue;
        }
        // The first fetch is none of those that are limited.
        if (!kept) return (await fetchKeys(now)).get(kid);
        if (refetch && now - refetch.at < REFETCH_MS) {
          if (!known && refetch.error !== undefined) throw refetch.error;
          return known;
        }
        const own: typeof refetch = { at: now };
        refetch = own;
        try {
          return (await fetchKeys(now)).get(kid);
        } catch (error) {
          own.error = error;
          if (known) return known;
          throw error;
        }
      }
    },
  };
}

/** Keys that are known from the start. */
export function createFixedKeys(keySet: unknown): PublishedKeys {
  let keys: PublicKeys | undefined;
  return {
    async find(kid) {
      keys ??= await parseKeySet(keySet);
      return keys.get(kid);
    },
  };
}

/** The Ed25519 keys of a JSON Web Key Set; others are left out. @throws TypeError where it is no key set */
export async function parseKeySet(keySet: unknown): Promise<PublicKeys> {
  const list = isJsonObject(keySet) ? keySet.keys : undefined;
  if (!Array.isArray(list)) throw new TypeError("This is no JSON Web Key Set.");
  const found = await Promise.all(list.slice(0, KEYS_MAX).map(importKey));
  return new Map(found.flatMap((entry) => (entry ? [entry] : [])));
}

async function importKey(jwk: JWK | null): Promise<[kid: string, key: CryptoKey] | undefined> {
  const { kty, crv, x, kid, alg = "EdDSA", use = "sig" } = jwk ?? {};
  if (kty !== "OKP" || crv !== "Ed25519" || alg !== "EdDSA" || use !== "sig") return undefined;
  if (typeof x !== "string" || typeof kid !== "string") return undefined;
  try {
    // Only the public members.
    const key = await importJWK({ kty, crv, x }, "EdDSA");
    return key instanceof Uint8Array ? undefined : [kid, key];
  } catch {
    // Such as a point of the wrong length. The other keys are as good as before.
    return undefined;
  }
}
