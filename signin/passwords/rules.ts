import { fromBase64Url, sha256 } from "../../shared/bytes.ts";
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from "../limits.ts";

/** The rules for new passwords, by the name of what breaks them. */
export type PasswordFault = "short" | "long" | "malformed" | "blank_ends" | "common";

/**
 * The rule that a new password breaks; undefined if it is accepted. There are no rules of composition (NIST 800-63B). White
 * space at the ends is refused, because some clients trim their input. `commonHashes` is the bundled list; the page has the same
 * rule, and no list before it is loaded.
 */
export async function findPasswordFault(
  password: string,
  commonHashes: string,
): Promise<PasswordFault | undefined> {
  const characters = [...password].length;
  if (characters < PASSWORD_CHARACTERS_MIN) return "short";
  if (characters > PASSWORD_CHARACTERS_MAX) return "long";
  if (!password.isWellFormed()) return "malformed";
  if (password !== password.trim()) return "blank_ends";
  if (commonHashes !== "" && (await isCommonPassword(password, commonHashes))) return "common";
  return undefined;
}

const HASH_BYTES = 4;

/** Whether a password, regardless of case, is in a list of common ones: common-passwords.generated.ts. @internal for tests */
export async function isCommonPassword(password: string, hashes: string): Promise<boolean> {
  const hash = (await sha256(password.toLowerCase())).subarray(0, HASH_BYTES);
  // Read for each call and not kept: new passwords are rare, and the list is large.
  const list = fromBase64Url(hashes.replaceAll("\n", "")) ?? new Uint8Array();
  for (let at = 0; at < list.length; at += HASH_BYTES) {
    if (hash.every((byte, index) => list[at + index] === byte)) return true;
  }
  return false;
}
