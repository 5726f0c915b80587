import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from "../limits.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** The rules for new passwords, by the name of what breaks them. */
export type PasswordFault = "short" | "long" | "malformed" | "blank_ends" | "common";

/**
 * The rule that a new password breaks; undefined where it is accepted. There are no rules of composition (NIST 800-63B). White
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
