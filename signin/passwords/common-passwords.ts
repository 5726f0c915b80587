import { fromBase64Url, sha256, toHex } from "../../shared/bytes.ts";
import { COMMON_PASSWORD_HASHES } from "./common-passwords.generated.ts";

const HASH_BYTES = 4;

/** Whether a password, regardless of case, is in the bundled list of common ones. */
export async function isCommonPassword(password: string): Promise<boolean> {
  const hash = (await sha256(password.toLowerCase())).subarray(0, HASH_BYTES);
  return readHashes().has(toHex(hash));
}

// Read for each call and not kept: new passwords are rare, and the set is large.
function readHashes(): Set<string> {
  const bytes = fromBase64Url(COMMON_PASSWORD_HASHES.replaceAll("\n", "")) ?? new Uint8Array();
  const hashes = new Set<string>();
  for (let at = 0; at < bytes.length; at += HASH_BYTES) {
    hashes.add(toHex(bytes.subarray(at, at + HASH_BYTES)));
  }
  return hashes;
}
