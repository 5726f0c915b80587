import { isCrockford, toCodeText } from "../crockford.ts";
import { RECOVERY_CODE_CHARACTERS, TOTP_DIGITS } from "../limits.ts";

/** What a person enters as the second factor: a code of the app, or a recovery code without hyphens. Undefined if it is neither. */
export function parseSecondFactor(
  text: string,
): { kind: "code" | "recovery"; code: string } | undefined {
  const code = toCodeText(text);
  if (code.length === TOTP_DIGITS && /^\d+$/.test(code)) return { kind: "code", code };
  const isRecovery = code.length === RECOVERY_CODE_CHARACTERS && isCrockford(code);
  return isRecovery ? { kind: "recovery", code } : undefined;
}
