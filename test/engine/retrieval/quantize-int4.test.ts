import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  packInt4,
  roundToInt4,
  unpackInt4,
} from "../../../engine/retrieval/sidecar/quantize-int4.ts";

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [product, one, other] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 1) {
    product += (a[at] ?? 0) * (b[at] ?? 0);
    one += (a[at] ?? 0) ** 2;
    other += (b[at] ?? 0) ** 2;
  }
  return product / Math.sqrt(one * other);
}

describe("Vectors of four bits", () => {
  it("are read as they were written, two in a byte", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1, max: 1, noNaN: true })),
        fc.nat(9),
        (given, start) => {
          const { values } = roundToInt4(Float64Array.from(given));
          const packed = packInt4(values);
          assert.equal(packed.length, Math.ceil(values.length / 2));
          const read = new Int8Array(start + 2 * packed.length);
          unpackInt4(packed, read, start);
          assert.deepEqual(read.subarray(start, start + values.length), values);
        },
      ),
    );
  });

  it("keep nearly the direction and the length of a vector", () => {
    const some = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
      minLength: 256,
      maxLength: 256,
    });
    fc.assert(
      fc.property(some, (numbers) => {
        const vector = Float64Array.from(numbers, (number) => number ** 3);
        fc.pre(vector.some((value) => Math.abs(value) > 1e-3));
        const { values, scale } = roundToInt4(vector);
        assert.ok(new Set(values).size <= 15);
        assert.ok(cosine(values, vector) > 0.98, `${cosine(values, vector)}`);
        const error = vector.map((value, at) => value - scale * (values[at] ?? 0));
        assert.ok(Math.hypot(...error) <= 0.2 * Math.hypot(...vector));
      }),
    );
  });

  it("are all zero where there is nothing to keep", () => {
    for (const vector of [[], [0, 0], [Number.POSITIVE_INFINITY, 1]]) {
      const { values, scale } = roundToInt4(Float64Array.from(vector));
      assert.deepEqual(
        [...values],
        vector.map(() => 0),
      );
      assert.equal(scale, 0);
    }
  });

  it("keep a small value beside a large one, and zero as zero", () => {
    const { values } = roundToInt4(Float64Array.of(1, 0.001, -0.001, 0));
    assert.deepEqual([...values].map(Math.sign), [1, 1, -1, 0]);
    assert.ok((values[1] ?? 0) < (values[0] ?? 0) / 50);
  });
});
