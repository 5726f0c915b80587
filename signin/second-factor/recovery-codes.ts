import { type Bytes, sha256, toBase64Url } from "../../shared/bytes.ts";
import { LETTERS } from "../crockford.ts";
import { RECOVERY_CODE_CHARACTERS, RECOVERY_CODES } from "../limits.ts";

/** Ten new recovery codes, 80 random bits each: as they are shown, with hyphens, and as they are stored. */
export async function makeRecoveryCodes(
  random: (byteCount: number) => Bytes,
  userId: string,
): Promise<{ codes: string[]; hashes: string[] }> {
  const bare = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(random(RECOVERY_CODE_CHARACTERS), (byte) => LETTERS.at(byte % LETTERS.length)).join(
      "",
    ),
  );
  const hashes = await Promise.all(bare.map((code) => hashRecoveryCode(userId, code)));
  return { codes: bare.map((code) => code.replace(/(.{4})(?=.)/g, "$1-")), hashes };
}

/** The stored form of a code without hyphens. The account is in it, so that no code is tried at all accounts at once. */
export async function hashRecoveryCode(userId: string, code: string): Promise<string> {
  return toBase64Url(await sha256(`${userId}|${code}`));
}
