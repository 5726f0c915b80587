import { utf8 } from "./bytes.ts";

/**
 * Whether two secrets are equal. The time depends on the length of `given` alone: neither on `expected` nor on the position
 * of the first difference.
 */
export function equalsConstantTime(
  given: string | Uint8Array,
  expected: string | Uint8Array,
): boolean {
  const left = typeof given === "string" ? utf8(given) : given;
  const right = typeof expected === "string" ? utf8(expected) : expected;
  let difference = left.length ^ right.length;
  for (let at = 0; at < left.length; at += 1) {
    difference |= (left[at] ?? 0) ^ (right[at % (right.length || 1)] ?? 0);
  }
  return difference === 0;
}
