import { type Bytes, fromUtf8 } from "../../shared/bytes.ts";
import { CBOR_DEPTH_MAX } from "../limits.ts";

/** The part of CBOR that authenticators use (CTAP2 canonical form): no floats, no tags, no indefinite lengths. */
export type CborValue = number | string | boolean | null | Bytes | CborValue[] | CborMap;
export type CborMap = Map<number | string, CborValue>;

/** Bytes that are not such CBOR. */
class BadCbor extends Error {
  override name = "BadCbor";
}

/** The item that begins at `start`, and the offset behind it. @throws BadCbor */
export function decodeCbor(bytes: Bytes, start = 0): { value: CborValue; end: number } {
  const reader = new Reader(bytes, start);
  const value = reader.readValue(0);
  return { value, end: reader.at };
}

/** The one item that fills all bytes, which must be a map. @throws BadCbor */
export function decodeCborMap(bytes: Bytes): CborMap {
  const { value, end } = decodeCbor(bytes);
  if (end !== bytes.length) throw new BadCbor("there are bytes behind the map");
  if (!(value instanceof Map)) throw new BadCbor("it is not a map");
  return value;
}

// RFC 8949, section 3.1.
const UNSIGNED = 0;
const NEGATIVE = 1;
const BYTES = 2;
const TEXT = 3;
const ARRAY = 4;
const MAP = 5;
const SIMPLE = 7;
const SIMPLE_VALUES: Readonly<Record<number, boolean | null>> = { 20: false, 21: true, 22: null };

class Reader {
  readonly #bytes: Bytes;
  at: number;

  constructor(bytes: Bytes, start: number) {
    this.#bytes = bytes;
    this.at = start;
  }

  readValue(depth: number): CborValue {
    if (depth > CBOR_DEPTH_MAX) throw new BadCbor("it is nested too deep");
    const [first = 0] = this.#take(1);
    const [type, detail] = [first >> 5, first & 31];
    if (type === SIMPLE) {
      const value = SIMPLE_VALUES[detail];
      if (value === undefined) throw new BadCbor("it has a value of an unknown kind");
      return value;
    }
    const argument = this.#readArgument(detail);
    switch (type) {
      case UNSIGNED:
        return argument;
      case NEGATIVE:
        return -1 - argument;
      case BYTES:
        return this.#take(argument).slice();
      case TEXT:
        return this.#readText(argument);
      case ARRAY:
        return this.#readItems(argument, depth);
      case MAP:
        return this.#readMap(argument, depth);
      default:
        throw new BadCbor("it has a tag");
    }
  }

  #readArgument(detail: number): number {
    if (detail < 24) return detail;
    if (detail > 27) throw new BadCbor("it has an indefinite length");
    const bytes = this.#take(2 ** (detail - 24));
    const value = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
    if (!Number.isSafeInteger(value)) throw new BadCbor("it has a number that is too large");
    return value;
  }

  #readText(length: number): string {
    try {
      return fromUtf8(this.#take(length));
    } catch (error) {
      if (error instanceof BadCbor) throw error;
      throw new BadCbor("it has text that is not UTF-8");
    }
  }

  #readItems(count: number, depth: number): CborValue[] {
    // Each item is at least one byte: a count beyond the input ends at its end.
    const items: CborValue[] = [];
    for (let at = 0; at < count; at += 1) items.push(this.readValue(depth + 1));
    return items;
  }

  #readMap(count: number, depth: number): CborMap {
    const map: CborMap = new Map();
    for (let at = 0; at < count; at += 1) {
      const key = this.readValue(depth + 1);
      if (typeof key !== "number" && typeof key !== "string") {
        throw new BadCbor("it has a key that is neither a number nor text");
      }
      if (map.has(key)) throw new BadCbor("it has a key twice");
      map.set(key, this.readValue(depth + 1));
    }
    return map;
  }

  #take(count: number): Bytes {
    const end = this.at + count;
    if (end > this.#bytes.length) throw new BadCbor("it ends too early");
    const taken = this.#bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }
}
