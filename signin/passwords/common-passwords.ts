import { fromBase64Url, sha256, toHex } from "../../shared/bytes.ts";
import { COMMON_PASSWORD_HASHES } from "./common-passwords.generated.ts";

const HASH_BYTES = 4;

/** Whether a password, without regard to case, stands in the bundled list of those that are tried first. */
export async function isCommonPassword(password: string): Promise<boolean> {
  const hash = (await sha256(password.toLowerCase())).subarray(0, HASH_BYTES);
  return readHashes().has(toHex(hash));
}

// Read when needed and dropped after: a password is chosen rarely, and the list would stay in memory for good.
function readHashes(): Set<string> {
  const bytes = fromBase64Url(COMMON_PASSWORD_HASHES.replaceAll("\n", "")) ?? new Uint8Array();
  const hashes = new Set<string>();
  for (let at = 0; at < bytes.length; at += HASH_BYTES) {
    hashes.add(toHex(bytes.subarray(at, at + HASH_BYTES)));
  }
  return hashes;
}
