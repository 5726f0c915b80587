// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Basis, trainBasis } from "../../../engine/retrieval/embedders/builtin/lsa/basis.ts";
import {
  createMatrix,
  orthonormalize,
  productOf,
} from "../../../engine/retrieval/embedders/builtin/lsa/dense.ts";
import { LsaEmbedder } from "../../../engine/retrieval/embedders/builtin/lsa/embed.ts";
import {
  createNormalSource,
  termKey,
} from "../../../engine/retrieval/embedders/builtin/lsa/hashing.ts";

function finish<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

// Two subjects among many other words.
const TEXTS = Array.from({ length: 300 }, (_, i) => {
  const parts = ["wheel", "engine", "road", "brake", "driver", "tyre", "fuel", "garage"];
  const food = ["flour", "butter", "oven", "sugar", "dough", "bake", "cream", "salt"];
  const rare = ["car", "automobile", "cake"][i % 3];
  const subject = i % 3 === 2 ? food : parts;
  const words = [0, 1, 2, 3].map((at) => subject[(i * 5 + at * 3) % subject.length]);
  const other = [0, 1, 2].map((at) => `other${(i * 7 + at * 61) % 400}`);
  return [i % 30 < 3 ? rare : "", ...words, ...other].join(" ");
});

function cosine(a: Int8Array, b: Int8Array): number {
  const dot = (x: Int8Array, y: Int8Array) =>
    x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

function bytesOf(basis: Basis): Buffer {
  const { terms, idf, vectors, scales, bucketIdf } = basis;
  const arrays = [terms, idf, vectors, scales, bucketIdf];
  return Buffer.concat(arrays.map((a) => Buffer.from(a.buffer, a.byteOffset, a.byteLength)));
}

describe("The built-in embedder", () => {
  it("learns the same bytes from the same texts", () => {
    const first = finish(trainBasis(TEXTS));
    assert.ok(first.k > 0);
    assert.deepEqual(bytesOf(finish(trainBasis(TEXTS))), bytesOf(first));
    const [a, b] = [new LsaEmbedder(first), new LsaEmbedder(finish(trainBasis(TEXTS)))];
    for (const text of TEXTS) assert.deepEqual(a.embed(text), b.embed(text));
  });

  it("finds texts of a word's subject that do not have the word", () => {
    const embedder = new LsaEmbedder(finish(trainBasis(TEXTS)));
    const query = embedder.embed("automobile");
    const near = cosine(query, embedder.embed("wheel brake road tyre garage"));
    const far = cosine(query, embedder.embed("oven sugar dough cream salt"));
    assert.ok(near > far + 0.05, `${near} ${far}`);
  });

  it("matches words by spelling where the texts are too few for training", () => {
    const basis = finish(trainBasis(["the first text", "the second one"]));
    assert.equal(basis.k, 0);
    const embedder = new LsaEmbedder(basis);
    const word = embedder.embed("configuration");
    assert.ok(cosine(word, embedder.embed("configurations")) > 0.6);
    assert.ok(cosine(word, embedder.embed("zebra")) < 0.3);
    assert.ok(embedder.embed(" !? ").every((value) => value === 0));
  });

  it("keeps no word of the texts", () => {
    const bytes = bytesOf(finish(trainBasis(TEXTS)));
    for (const word of ["automobile", "butter", "wheel"]) assert.ok(!bytes.includes(word));
  });

  it("trains on no text, on blanks and on one repeated word", () => {
    for (const texts of [[], [""], Array(200).fill(""), Array(200).fill("same word")]) {
      const embedder = new LsaEmbedder(finish(trainBasis(texts)));
      assert.equal(embedder.embed("same").length, 512);
    }
  });
});

describe("Its arithmetic", () => {
  it("makes columns orthonormal, and columns that depend on others zero", () => {
    const next = createNormalSource(7);
    const y = createMatrix(50, 8);
    for (let at = 0; at < y.data.length; at += 1) y.data[at] = next();
    for (let row = 0; row < 50; row += 1) y.data[row * 8 + 5] = (y.data[row * 8] ?? 0) * 2;
    finish(orthonormalize(y));
    const gram = finish(productOf(y, y));
    for (let i = 0; i < 8; i += 1) {
      for (let j = 0; j < 8; j += 1) {
        const expected = i === j && i !== 5 ? 1 : 0;
        assert.ok(Math.abs((gram[i * 8 + j] ?? 9) - expected) < 1e-5, `${i} ${j}`);
      }
    }
  });

  it("keys terms without collisions among a hundred thousand", () => {
    const keys = new Set(Array.from({ length: 100_000 }, (_, i) => termKey(`word${i}`)));
    assert.equal(keys.size, 100_000);
    for (const key of keys) assert.ok(Number.isSafeInteger(key));
  });
});
