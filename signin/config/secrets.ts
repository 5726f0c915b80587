import { fromBase64Url, toHex, utf8 } from "../../shared/bytes.ts";
import { randomBytes, randomToken } from "../../shared/random.ts";
import { ENCRYPTION_KEY_BYTES, SIGNING_KEY_BYTES_MIN } from "../limits.ts";

/** The secrets that need no service: development and `setup workers` generate them. */
export const GENERATED_SECRETS: Readonly<Record<string, () => string>> = {
  JWT_SECRET_KEY: () => toHex(randomBytes(SIGNING_KEY_BYTES_MIN)),
  TOKEN_ENCRYPTION_KEY: () => randomToken(ENCRYPTION_KEY_BYTES),
};

// A key with fewer distinct bytes is not random.
const DISTINCT_BYTES_MIN = 8;

/** Whether a text is long enough to sign tokens: at least 32 bytes. */
export function isSigningKey(text: string): boolean {
  return utf8(text).length >= SIGNING_KEY_BYTES_MIN;
}

/** Whether a text is the URL-safe base64 of 32 bytes, with or without padding. */
export function isEncryptionKey(text: string): boolean {
  return fromBase64Url(text)?.length === ENCRYPTION_KEY_BYTES;
}

/** Whether a key repeats the same few bytes. */
export function isMonotonous(key: Uint8Array): boolean {
  return new Set(key).size < DISTINCT_BYTES_MIN;
}

/** Pairs of names that hold the same bytes in any encoding: no secret may serve two purposes (Sign-in §1). */
export function listSharedSecrets(
  secrets: Readonly<Record<string, readonly string[]>>,
): { name: string; other: string }[] {
  const owners = new Map<string, string>();
  return Object.entries(secrets).flatMap(([name, values]) => {
    const readings = new Set(values.flatMap(readingsOf));
    const other = [...readings].flatMap((reading) => owners.get(reading) ?? [])[0];
    for (const reading of readings) owners.set(reading, name);
    return other === undefined ? [] : { name, other };
  });
}

function readingsOf(secret: string): string[] {
  const asBase64 = fromBase64Url(secret);
  const readings = [toHex(utf8(secret))];
  if (/^([0-9a-f]{2})+$/i.test(secret)) readings.push(secret.toLowerCase());
  if (asBase64 && asBase64.length > 0) readings.push(toHex(asBase64));
  return readings;
}
