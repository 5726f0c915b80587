import type { Bytes } from "../../shared/bytes.ts";
import { equalsConstantTime } from "../../shared/constant-time.ts";
import { TOTP_DIGITS, TOTP_LABEL_CHARACTERS_MAX, TOTP_STEP_SEC } from "../limits.ts";

const HMAC = { name: "HMAC", hash: "SHA-1" };

/** The code of a counter, six digits (RFC 4226, section 5.3). @internal */
export async function hotp(secret: Bytes, counter: number): Promise<string> {
  const key = await crypto.subtle.importKey("raw", secret, HMAC, false, ["sign"]);
  const message = new DataView(new ArrayBuffer(8));
  message.setBigUint64(0, BigInt(counter));
  const mac = new DataView(await crypto.subtle.sign("HMAC", key, message.buffer));
  const offset = mac.getUint8(mac.byteLength - 1) & 0xf;
  const number = mac.getUint32(offset) & 0x7fffffff;
  return String(number % 10 ** TOTP_DIGITS).padStart(TOTP_DIGITS, "0");
}

/**
 * The time step of a code (RFC 6238, section 4.2): that of `now`, in unix seconds, or one of its neighbours, as clocks differ.
 * Undefined if none has it that is later than `lastStep`, the step of the last accepted code.
 */
export async function findStep(
  secret: Bytes,
  code: string,
  { now, lastStep }: { now: number; lastStep: number },
): Promise<number | undefined> {
  const present = Math.floor(now / TOTP_STEP_SEC);
  const steps = [present - 1, present, present + 1];
  const codes = await Promise.all(steps.map((step) => hotp(secret, step)));
  // All three are compared, so that the time does not tell which one it was.
  const isRight = codes.map((each) => equalsConstantTime(code, each));
  return steps.find((step, at) => isRight[at] && step > lastStep);
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Base32 without padding (RFC 4648, section 6), as authenticator apps take secrets. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
}

/** The address that authenticator apps read from the QR code. A colon would end a name in it. */
export function toOtpauthUri(
  secret: string,
  { issuer, account }: { issuer: string; account: string },
): string {
  const name = encodeURIComponent(issuer.replaceAll(":", " "));
  const label = encodeURIComponent([...account].slice(0, TOTP_LABEL_CHARACTERS_MAX).join(""));
  return `otpauth://totp/${name}:${label}?secret=${secret}&issuer=${name}`;
}
