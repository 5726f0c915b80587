import { sha256, toBase64Url } from "../../shared/bytes.ts";
import { randomToken } from "../../shared/random.ts";

/** A verifier of 43 characters and its S256 challenge (RFC 7636 §4; Sign-in §4, native PKCE rules). */
export async function createPkcePair(): Promise<{ verifier: string; challenge: string }> {
  const verifier = randomToken();
  return { verifier, challenge: toBase64Url(await sha256(verifier)) };
}
