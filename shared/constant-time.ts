import { utf8 } from "./bytes.ts";

type Secret = string | Uint8Array;

/**
 * Whether two secrets are equal. The time depends only on the length of `given`: neither on `expected` nor on the position
 * of the first difference.
 */
export function equalsConstantTime(given: Secret, expected: Secret): boolean {
  // Texts are compared as they are: their bytes would cost more than the comparison.
  const areTexts = typeof given === "string" && typeof expected === "string";
  return areTexts ? isSame(given, expected) : isSame(toBytes(given), toBytes(expected));
}

function isSame(given: Secret, expected: Secret): boolean {
  let difference = given.length ^ expected.length;
  for (let at = 0; at < given.length; at += 1) {
    difference |= unitAt(given, at) ^ unitAt(expected, at % (expected.length || 1));
  }
  return difference === 0;
}

/** A code unit or a byte; 0 behind the end. */
function unitAt(secret: Secret, at: number): number {
  return (typeof secret === "string" ? secret.charCodeAt(at) : secret[at]) || 0;
}

function toBytes(secret: Secret): Uint8Array {
  return typeof secret === "string" ? utf8(secret) : secret;
}
