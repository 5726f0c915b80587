import { type Bytes, toBase64Url, utf8 } from "../../shared/bytes.ts";
import { EMAIL_CODE_DIGITS } from "../limits.ts";
import type { Mac } from "../tokens/mac.ts";

/** The purpose of a mailed code. A signed-in user asks for the last four. */
export type CodePurpose =
  | "signup"
  | "reset"
  | "login"
  | "password"
  | "email"
  | "delete"
  | "reauthenticate";

const CODES = 10 ** EMAIL_CODE_DIGITS;
// The largest multiple of CODES in 32 bits: numbers above it would make low codes likelier.
const UNBIASED_BELOW = Math.floor(2 ** 32 / CODES) * CODES;

/** Eight random digits, each code as likely as any other. */
export function createCode(random: (byteCount: number) => Bytes): string {
  for (;;) {
    const number = new DataView(random(4).buffer).getUint32(0);
    if (number < UNBIASED_BELOW) return String(number % CODES).padStart(EMAIL_CODE_DIGITS, "0");
  }
}

/** The stored form of a code. Without the pepper, all codes could be tried against it in a second. */
export async function macOfCode(
  pepper: Mac,
  {
    purpose,
    emailNorm,
    code,
    address,
  }: { purpose: CodePurpose; emailNorm: string; code: string; address?: string | undefined },
): Promise<string> {
  const parts = [purpose, emailNorm, code];
  const text = JSON.stringify(address === undefined ? parts : [...parts, address]);
  return toBase64Url(await pepper(utf8(text)));
}
