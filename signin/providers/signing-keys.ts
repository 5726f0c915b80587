import { fromBase64Url } from "../../shared/bytes.ts";
import type { Clock } from "../../shared/clock.ts";
import { unixNow } from "../db/time.ts";
import { providerFailed } from "../errors.ts";
import { JWKS_LIFETIME_SEC, JWKS_REFETCH_SEC, RSA_MODULUS_BITS_MIN } from "../limits.ts";
import type { ProviderFetch } from "./provider-fetch.ts";

type Jwk = Readonly<Record<string, unknown>>;

/** The provider's published keys, kept as a value: never a promise, which another request could be waiting for. */
export interface SigningKeys {
  /** Keys for a token whose header names `keyId`, as a JWK Set response; fetched again where they do not have it. */
  find(jwksUri: string, keyId: string | undefined): Promise<Response>;
}

export function createSigningKeys(clock: Clock, fetchProvider: ProviderFetch): SigningKeys {
  let kept: { uri: string; keys: readonly Jwk[]; fetchedAt: number } | undefined;
  let refetchedAt = Number.NEGATIVE_INFINITY;

  async function load(uri: string): Promise<readonly Jwk[]> {
    const keys = await fetchKeys(uri, fetchProvider);
    kept = { uri, keys, fetchedAt: unixNow(clock) };
    return keys;
  }

  return {
    async find(uri, keyId) {
      const now = unixNow(clock);
      const isFresh = kept?.uri === uri && now - kept.fetchedAt < JWKS_LIFETIME_SEC;
      if (!kept || !isFresh) return toResponse(await load(uri));
      const isKnown = keyId === undefined || kept.keys.some(({ kid }) => kid === keyId);
      // A rotated key shows up as an unknown one. So does an attacker's: hence the bound.
      if (isKnown || now - refetchedAt < JWKS_REFETCH_SEC) return toResponse(kept.keys);
      refetchedAt = now;
      return toResponse(await load(uri));
    },
  };
}

async function fetchKeys(uri: string, fetchProvider: ProviderFetch): Promise<Jwk[]> {
  const response = await fetchProvider(uri, { headers: { accept: "application/json" } });
  if (response.status !== 200) throw providerFailed(`the key set has status ${response.status}`);
  const set: unknown = await response.json().catch(() => undefined);
  const keys = typeof set === "object" && set !== null && "keys" in set ? set.keys : undefined;
  if (!Array.isArray(keys)) throw providerFailed("the key set is malformed");
  return keys.filter((key) => typeof key === "object" && key !== null);
}

/** Only keys that may verify here: RSA of 2048 bits or more. */
function toResponse(keys: readonly Jwk[]): Response {
  return Response.json({ keys: keys.filter(isStrongRsa) });
}

function isStrongRsa({ kty, n }: Jwk): boolean {
  const modulus = kty === "RSA" && typeof n === "string" ? fromBase64Url(n) : undefined;
  const first = modulus?.findIndex((byte) => byte !== 0) ?? -1;
  if (!modulus || first < 0) return false;
  const bits = (modulus.length - first - 1) * 8 + (32 - Math.clz32(modulus[first] ?? 0));
  return bits >= RSA_MODULUS_BITS_MIN;
}
