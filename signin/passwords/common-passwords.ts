import { fromBase64Url, sha256, toHex } from "../../shared/bytes.ts";

const HASH_BYTES = 4;

/** Whether a password, regardless of case, is in a list of common ones: common-passwords.generated.ts. */
export async function isCommonPassword(password: string, hashes: string): Promise<boolean> {
  const hash = (await sha256(password.toLowerCase())).subarray(0, HASH_BYTES);
  return readHashes(hashes).has(toHex(hash));
}

// Read for each call and not kept: new passwords are rare, and the set is large.
function readHashes(list: string): Set<string> {
  const bytes = fromBase64Url(list.replaceAll("\n", "")) ?? new Uint8Array();
  const hashes = new Set<string>();
  for (let at = 0; at < bytes.length; at += HASH_BYTES) {
    hashes.add(toHex(bytes.subarray(at, at + HASH_BYTES)));
  }
  return hashes;
}
