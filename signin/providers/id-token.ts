import type { IDToken } from "oauth4webapi";
import { sha256, toBase64Url } from "../../shared/bytes.ts";
import {
  ID_TOKEN_IAT_AGE_SEC,
  ID_TOKEN_IAT_FUTURE_SEC,
  ID_TOKEN_LIFETIME_SEC_MAX,
  SUBJECT_CHARACTERS_MAX,
} from "../limits.ts";

/**
 * The rule that an ID token of oauth4webapi still breaks, or undefined (OIDC Core 3.1.3.7). The library reads the system's
 * clock, so the times are checked here with this server's.
 */
export function findIdTokenFault(
  claims: IDToken,
  { clientId, now }: { clientId: string; now: number },
): string | undefined {
  const { sub, aud, azp, iat, exp, nbf } = claims;
  const subjectFault = findSubjectFault(sub);
  if (subjectFault) return subjectFault;
  const audiences = [aud].flat();
  if (audiences.length !== 1 || audiences[0] !== clientId) return "aud is not this client alone";
  if (azp !== undefined && azp !== clientId) return "azp is another client";
  if (iat > now + ID_TOKEN_IAT_FUTURE_SEC) return "iat is in the future";
  if (iat < now - ID_TOKEN_IAT_AGE_SEC) return "iat is too long ago";
  if (exp - iat > ID_TOKEN_LIFETIME_SEC_MAX) return "exp is too far away";
  if (exp <= now - ID_TOKEN_IAT_FUTURE_SEC) return "exp is past";
  if (nbf !== undefined && nbf > now + ID_TOKEN_IAT_FUTURE_SEC) return "nbf is in the future";
  return undefined;
}

/** Why a value is no subject of an identity, or undefined. */
export function findSubjectFault(sub: unknown): string | undefined {
  if (typeof sub !== "string" || sub.trim() === "" || sub.length > SUBJECT_CHARACTERS_MAX) {
    return "sub is empty or too long";
  }
  // The database stores each lone surrogate as U+FFFD, which would make two subjects one.
  if (!sub.isWellFormed() || /\p{Cc}/u.test(sub)) return "sub is no well-formed text";
  return undefined;
}

/** Whether `at_hash`, if present, is of this access token (OpenID Connect Core 3.1.3.8; RS256: SHA-256). */
export async function accessTokenMatches(claims: IDToken, accessToken: string): Promise<boolean> {
  const expected = claims.at_hash;
  if (expected === undefined) return true;
  const digest = await sha256(accessToken);
  return expected === toBase64Url(digest.subarray(0, digest.length / 2));
}
