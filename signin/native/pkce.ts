import { sha256, toBase64Url } from "../../shared/bytes.ts";
import {
  PKCE_CHALLENGE_CHARACTERS,
  PKCE_VERIFIER_CHARACTERS_MAX,
  PKCE_VERIFIER_CHARACTERS_MIN,
} from "../limits.ts";

/** 43 to 128 unreserved characters (RFC 7636 §4.1). */
export const VERIFIER = new RegExp(
  `^[A-Za-z0-9\\-._~]{${PKCE_VERIFIER_CHARACTERS_MIN},${PKCE_VERIFIER_CHARACTERS_MAX}}$`,
);

/** Base64url of 32 bytes: 43 characters, of which the last has two bits that must be zero. */
export const CHALLENGE = new RegExp(
  `^[A-Za-z0-9_-]{${PKCE_CHALLENGE_CHARACTERS - 1}}[AEIMQUYcgkosw048]$`,
);

/** The S256 challenge of a verifier (RFC 7636 §4.2). */
export async function toChallenge(verifier: string): Promise<string> {
  return toBase64Url(await sha256(verifier));
}
