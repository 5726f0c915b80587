// Slow: it divides bytes at random.
import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { ByteSlices } from "../../../engine/http/byte-slices.ts";

async function read(slices: ByteSlices, chunks: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  for (const chunk of chunks) for await (const slice of slices.of(chunk)) found.push(slice);
  return found;
}

it("hands on the same bytes, at most a slice at a time", async () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(chunks, fc.integer({ min: 1, max: 30 }), async (given, bytes) => {
      const found = await read(new ByteSlices(bytes), given);
      assert.deepEqual(Buffer.concat(found), Buffer.concat(given));
      assert.ok(found.every(({ length }) => length > 0 && length <= bytes));
    }),
    { numRuns: 200 },
  );
});

for (const [what, chunks] of [
  ["one chunk", [new Uint8Array(10_000)]],
  ["many small ones", Array.from({ length: 1_000 }, () => new Uint8Array(10))],
] as const) {
  it(`lets others have their turn between slices of ${what}`, async () => {
    let turns = 0;
    let timer = setImmediate(function count() {
      turns += 1;
      timer = setImmediate(count);
    });
    await read(new ByteSlices(100), chunks);
    clearImmediate(timer);
    assert.ok(turns >= 99, `${turns} turns`);
  });
}
