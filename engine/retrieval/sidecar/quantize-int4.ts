/** The eight magnitudes that four bits hold with a sign. Their steps grow: most values are small. */
const LEVELS = [0, 1, 16, 33, 52, 73, 98, 127] as const;
const LEVEL_MAX = 127;
const CODE_ZERO = 8;
const LOW = 0xf;

/** By magnitude: the code of the nearest level. */
const CODES = Uint8Array.from({ length: LEVEL_MAX + 1 }, (_, magnitude) => nearestCode(magnitude));
/** By code: the value. */
const VALUES = Int8Array.from({ length: 2 * CODE_ZERO }, (_, code) => {
  const level = LEVELS[Math.abs(code - CODE_ZERO)] ?? 0;
  return code < CODE_ZERO ? -level : level;
});

// Shares of the largest value at which the range of four bits may end.
const RANGES = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4];

interface Rounded {
  values: Int8Array;
  scale: number;
}

/**
 * The values of four bits with nearly the direction of a vector, and the factor that leads back to its length. Where few
 * values are large, cutting them off leaves finer steps for the others: the best of several ranges is taken.
 */
export function roundToInt4(vector: Float64Array | Float32Array): Rounded {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  let best: Rounded = { values: new Int8Array(vector.length), scale: 0 };
  if (largest === 0 || !Number.isFinite(largest)) return best;
  let bestCosine = 0;
  for (const range of RANGES) {
    const values = roundWithin(vector, (range * largest) / LEVEL_MAX);
    let product = 0;
    let length = 0;
    values.forEach((value, at) => {
      product += value * (vector[at] ?? 0);
      length += value * value;
    });
    const cosine = product / Math.sqrt(length);
    if (cosine <= bestCosine) continue;
    bestCosine = cosine;
    best = { values, scale: product / length };
  }
  return best;
}

function roundWithin(vector: Float64Array | Float32Array, step: number): Int8Array {
  return Int8Array.from(vector, (value) => VALUES[toCode(value / step)] ?? 0);
}

// Only zero becomes zero: a word that all texts have is still found beside rare ones.
function toCode(value: number): number {
  if (value === 0) return CODE_ZERO;
  const magnitude = Math.max(1, Math.min(LEVEL_MAX, Math.round(Math.abs(value))));
  const code = CODES[magnitude] ?? 0;
  return value < 0 ? CODE_ZERO - code : CODE_ZERO + code;
}

function nearestCode(magnitude: number): number {
  if (magnitude === 1) return 1;
  const above = LEVELS.findIndex((level) => level >= magnitude);
  const [low = 0, high = 0] = [LEVELS[above - 1], LEVELS[above]];
  return above > 0 && magnitude - low < high - magnitude ? above - 1 : above;
}

/** Stores values of `roundToInt4` by twos in a byte. */
export function packInt4(values: Int8Array): Uint8Array {
  const packed = new Uint8Array(Math.ceil(values.length / 2));
  for (let at = 0; at < packed.length; at += 1) {
    packed[at] = (toCode(values[2 * at] ?? 0) << 4) | toCode(values[2 * at + 1] ?? 0);
  }
  return packed;
}

/** Reads what `packInt4` wrote into the numbers from `start` on. */
export function unpackInt4(packed: Uint8Array, into: Int8Array, start = 0): void {
  for (let at = 0; at < packed.length; at += 1) {
    const byte = packed[at] ?? 0;
    into[start + 2 * at] = VALUES[byte >> 4] ?? 0;
    into[start + 2 * at + 1] = VALUES[byte & LOW] ?? 0;
  }
}
