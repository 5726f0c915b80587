import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from "../limits.ts";
import { isCommonPassword } from "./common-passwords.ts";

/**
 * The rule that a new password breaks, as `must …`; undefined where it is accepted. There are no rules of composition
 * (NIST 800-63B). White space at the ends is refused, because some clients trim their input.
 */
export async function findPasswordFault(password: string): Promise<string | undefined> {
  const characters = [...password].length;
  if (characters < PASSWORD_CHARACTERS_MIN) {
    return `must have at least ${PASSWORD_CHARACTERS_MIN} characters`;
  }
  if (characters > PASSWORD_CHARACTERS_MAX) {
    return `must have at most ${PASSWORD_CHARACTERS_MAX} characters`;
  }
  if (!password.isWellFormed()) return "must be valid text";
  if (password !== password.trim()) return "must neither begin nor end with white space";
  if (await isCommonPassword(password)) {
    return "must not be one of the most common ones";
  }
  return undefined;
}
