import fc from "fast-check";

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;
const CODE_POINT_MAX = 0x10ffff;

/** Any code point but a half of a pair, unassigned ones included. */
const CODE_POINT = fc.nat(CODE_POINT_MAX - SURROGATES).map(
  (at) => String.fromCodePoint(at < SURROGATES_FROM ? at : at + SURROGATES),
  (value) => {
    const point = typeof value === "string" ? value.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== value) throw new Error("no point");
    return point < SURROGATES_FROM ? point : point - SURROGATES;
  },
);

/**
 * Texts of any code points. They are those of fast-check's own `unit: "binary"`, whose first use in a process takes a second:
 * it builds a map of all code points.
 */
export function anyText(
  lengths: Pick<fc.StringConstraints, "minLength" | "maxLength"> = {},
): fc.Arbitrary<string> {
  return fc.string({ ...lengths, unit: CODE_POINT });
}
