import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { randomBytes } from "../../shared/random.ts";
import { createSealedBox, SealBroken } from "../../shared/sealed-box.ts";

const SECRET = "sk-CANARY-0123456789";

describe("a sealed box", () => {
  it("opens what it sealed, under the same context alone", async () => {
    const box = await createSealedBox([randomBytes(32)]);
    const envelope = await box.seal(SECRET, "record|field");
    assert.equal(await box.open(envelope, "record|field"), SECRET);
    await assert.rejects(box.open(envelope, "other|field"), SealBroken);
    assert.equal(envelope.includes(SECRET), false);
    assert.ok(envelope.startsWith(`v1.${box.keyId}.`));
  });

  it("never gives the same envelope twice", async () => {
    const box = await createSealedBox([randomBytes(32)]);
    assert.notEqual(await box.seal(SECRET, "c"), await box.seal(SECRET, "c"));
  });

  it("opens with an old key after a rotation, and seals with the new one", async () => {
    const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
    const before = await createSealedBox([oldKey]);
    const after = await createSealedBox([newKey, oldKey]);
    const envelope = await before.seal(SECRET, "c");
    assert.equal(await after.open(envelope, "c"), SECRET);
    await assert.rejects(before.open(await after.seal(SECRET, "c"), "c"), SealBroken);
  });

  it("refuses every change of an envelope, and never tells the secret or the envelope", async () => {
    const box = await createSealedBox([randomBytes(32)]);
    const envelope = await box.seal(SECRET, "c");
    const parts = envelope.split(".");
    const broken = [
      "",
      "v1",
      envelope.slice(0, -1),
      `${envelope}.x`,
      envelope.replace("v1", "v2"),
      [parts[0], "00000000", parts[2], parts[3]].join("."),
      ...Array.from({ length: 8 }, (_, at) => {
        const index = envelope.length - 1 - at * 3;
        const other = envelope[index] === "A" ? "B" : "A";
        return envelope.slice(0, index) + other + envelope.slice(index + 1);
      }),
    ];
    for (const text of broken) {
      await assert.rejects(box.open(text, "c"), (error: Error) => {
        assert.equal(error.name, "SealBroken");
        assert.equal(error.message.includes(envelope), false);
        return true;
      });
    }
  });

  for (const size of [0, 16, 31, 33]) {
    it(`needs keys of 32 bytes, not ${size}`, async () => {
      await assert.rejects(createSealedBox([new Uint8Array(size)]), RangeError);
    });
  }

  it("needs a key", async () => {
    await assert.rejects(createSealedBox([]), RangeError);
  });
});
