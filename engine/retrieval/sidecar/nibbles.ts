/** The largest of the whole numbers that take four bits. */
const NIBBLE_MAX = 7;

// Shares of the largest value at which the range of four bits may end.
const RANGES = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4];
const ZERO = 8;
const LOW = 0xf;

/**
 * The whole numbers of four bits with nearly the direction of a vector, and the factor that leads back to its length. Where few
 * values are large, cutting them off leaves finer steps for the others: the best of several ranges is taken.
 */
export function roundToNibbles(vector: Float64Array | Float32Array): {
  values: Int8Array;
  scale: number;
} {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  let best: { values: Int8Array; scale: number } = {
    values: new Int8Array(vector.length),
    scale: 0,
  };
  if (largest === 0 || !Number.isFinite(largest)) return best;
  let bestCosine = 0;
  for (const range of RANGES) {
    const values = roundWithin(vector, (range * largest) / NIBBLE_MAX);
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
  return Int8Array.from(vector, (value) =>
    Math.max(-NIBBLE_MAX, Math.min(NIBBLE_MAX, Math.round(value / step))),
  );
}

/** Stores whole numbers from -7 to 7 by twos in a byte. */
export function packNibbles(values: Int8Array): Uint8Array {
  const packed = new Uint8Array(Math.ceil(values.length / 2));
  for (let at = 0; at < packed.length; at += 1) {
    const high = (values[2 * at] ?? 0) + ZERO;
    packed[at] = (high << 4) | ((values[2 * at + 1] ?? 0) + ZERO);
  }
  return packed;
}

/** Reads what `packNibbles` wrote into the numbers from `start` on. */
export function unpackNibbles(packed: Uint8Array, into: Int8Array, start = 0): void {
  for (let at = 0; at < packed.length; at += 1) {
    const byte = packed[at] ?? 0;
    into[start + 2 * at] = (byte >> 4) - ZERO;
    into[start + 2 * at + 1] = (byte & LOW) - ZERO;
  }
}
