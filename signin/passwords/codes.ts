import { type Bytes, toBase64Url, utf8 } from "../../shared/bytes.ts";
import { isCrockford, LETTERS, toCodeText } from "../crockford.ts";
import { EMAIL_CODE_DIGITS, LONG_CODE_CHARACTERS } from "../limits.ts";
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

/** 26 random characters of Crockford's base32, of 129 bits. The first one is no digit, so that fields can tell it from a short code. */
export function createLongCode(random: (byteCount: number) => Bytes): string {
  const half = LETTERS.length / 2;
  return Array.from(random(LONG_CODE_CHARACTERS), (byte, at) =>
    LETTERS.at(at === 0 ? half + (byte % half) : byte % LETTERS.length),
  ).join("");
}

/** A code as it was mailed, of what a person enters. Undefined if it is neither eight digits nor a long code. */
export function parseCode(text: string): string | undefined {
  const code = toCodeText(text);
  if (isLongCode(code)) return isCrockford(code) ? code : undefined;
  return code.length === EMAIL_CODE_DIGITS && /^\d+$/.test(code) ? code : undefined;
}

/** Whether a parsed code is a long one. */
export function isLongCode(code: string): boolean {
  return code.length === LONG_CODE_CHARACTERS;
}

/** The stored form of a code. Without the pepper, all codes could be tried against it in a second. */
export async function macOfCode(
  pepper: Mac,
  { purpose, subject, code }: { purpose: CodePurpose; subject: string; code: string },
): Promise<string> {
  return toBase64Url(await pepper(utf8(JSON.stringify([purpose, subject, code]))));
}
