import type { JWK } from "jose";
import { fromBase64Url } from "../../shared/bytes.ts";
import type { Clock } from "../../shared/clock.ts";
import { isJsonObject, parseJson } from "../../shared/json.ts";
import { failure } from "../errors.ts";
import { JWKS_LIFETIME_SEC, JWKS_REFETCH_SEC, RSA_MODULUS_BITS_MIN } from "../limits.ts";
import { type CachedDocument, createCachedDocument } from "./cached-document.ts";
import type { ProviderFetch } from "./provider-fetch.ts";

const LIFETIMES = { lifetimeSec: JWKS_LIFETIME_SEC, refetchSec: JWKS_REFETCH_SEC };

/** The provider's published keys. */
export interface SigningKeys {
  /** Strong RSA keys for a token with this `keyId`. They are fetched again if none has it. */
  find(jwksUri: string, keyId: string | undefined): Promise<JWK[]>;
}

export function createSigningKeys(clock: Clock, fetchProvider: ProviderFetch): SigningKeys {
  let current: { uri: string; cached: CachedDocument<readonly JWK[]> } | undefined;
  return {
    async find(uri, keyId) {
      if (current?.uri !== uri) {
        const load = () => fetchKeys(uri, fetchProvider);
        current = { uri, cached: createCachedDocument({ clock, ...LIFETIMES, load }) };
      }
      // A rotated key is unknown at first. So is an attacker's: JWKS_REFETCH_SEC bounds the requests.
      const isKnown = (keys: readonly JWK[]) =>
        keyId === undefined || keys.some(({ kid }) => kid === keyId);
      const keys = await current.cached.get(isKnown);
      return keys.filter(isStrongRsa);
    },
  };
}

async function fetchKeys(uri: string, fetchProvider: ProviderFetch): Promise<JWK[]> {
  const response = await fetchProvider(uri, { headers: { accept: "application/json" } });
  if (response.status !== 200)
    throw failure("provider_error", `the key set has status ${response.status}`);
  const set = parseJson(await response.text());
  const keys = isJsonObject(set) ? set.keys : undefined;
  if (!Array.isArray(keys)) throw failure("provider_error", "the key set is malformed");
  return keys.filter(isJsonObject);
}

/** Whether a key may verify here: RSA of 2048 bits or more. */
function isStrongRsa({ kty, n }: JWK): boolean {
  const modulus = kty === "RSA" && typeof n === "string" ? fromBase64Url(n) : undefined;
  const first = modulus?.findIndex((byte) => byte !== 0) ?? -1;
  if (!modulus || first < 0) return false;
  const bits = (modulus.length - first - 1) * 8 + (32 - Math.clz32(modulus[first] ?? 0));
  return bits >= RSA_MODULUS_BITS_MIN;
}
