// Slow: it indexes a folder.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { sharesOf } from "../../../engine/retrieval/embedders/builtin/shares.ts";
import { type Candidate, hybridScores } from "../../../engine/retrieval/search/hybrid.ts";
import { VectorIndex } from "../../../engine/retrieval/search/vector-index.ts";
import { findProfile, type IndexProfile } from "../../../engine/retrieval/sidecar/meta-store.ts";
import { openExistingSidecar } from "../../../engine/retrieval/sidecar/sidecar.ts";
import { writeFiles } from "../../support/engine/files.ts";
import { createRag, type Rag } from "../../support/engine/retrieval.ts";

const share = fc.double({ min: 0, max: 1, noNaN: true });
const anyProfile = fc.record<IndexProfile>({
  chunks: fc.nat(10_000_000),
  words: fc.double({ min: 0, max: 2_000, noNaN: true }),
  code: share,
  sample: fc.constant(""),
});

function profileOf({ roots }: Rag): IndexProfile | undefined {
  using sidecar = openExistingSidecar(`${roots[0]}/.engine/sidecar.db`);
  return findProfile(sidecar);
}

describe("The weights of a hybrid score", () => {
  it("are finite, from 0 to 1, leave the keyword list a share, and follow from their input alone", () => {
    fc.assert(
      fc.property(fc.option(anyProfile, { nil: undefined }), fc.nat(64), (profile, terms) => {
        const shares = sharesOf(profile, terms);
        for (const weight of [...shares.parts, shares.feedback]) {
          assert.ok(Number.isFinite(weight) && weight >= 0 && weight <= 1, `${weight}`);
        }
        assert.ok(shares.parts.reduce((sum, weight) => sum + weight, 0) < 1);
        assert.deepEqual(sharesOf(profile, terms), shares);
      }),
    );
  });

  it("of meaning grow with the words of chunks and queries; that of spelling with code", () => {
    const profile = { chunks: 2_000, words: 40, code: 0, sample: "" };
    const [meaning = 0, spelling = 0] = sharesOf(profile, 8).parts;
    const meaningOf = (other: Partial<IndexProfile>, terms = 8) =>
      sharesOf({ ...profile, ...other }, terms).parts[0] ?? 0;
    assert.ok(meaningOf({ words: 8 }) < meaning);
    assert.equal(meaningOf({ words: 4 }), 0);
    assert.ok(meaningOf({}, 2) < meaning);
    assert.ok(meaningOf({ chunks: 50_000 }) < meaning);
    assert.ok((sharesOf({ ...profile, code: 1 }, 8).parts[1] ?? 0) > spelling);
  });

  it("follow from a measure of the index, which is the same for the same files and new after a change", async () => {
    const files = (count: number, text: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}.txt`, `${text} n${i}`]));
    await using rag = await createRag([files(40, "one two three four")]);
    await using same = await createRag([files(40, "one two three four")]);
    await rag.index();
    await same.index();
    const first = profileOf(rag);
    assert.deepEqual(first, profileOf(same));
    assert.equal(first?.chunks, 40);
    assert.equal(first?.code, 0);
    await rag.index();
    assert.deepEqual(profileOf(rag), first);
    writeFiles(rag.roots[0] ?? "", { "src/a.py": "def alpha(beta, gamma):\n    return delta\n" });
    await rag.index();
    const changed = profileOf(rag);
    assert.equal(changed?.chunks, 41);
    assert.ok((changed?.code ?? 0) > 0);
  });
});

describe("A hybrid score", () => {
  const hits = fc.array(
    fc.record({
      keyword: fc.option(fc.double({ min: 0, max: 50, noNaN: true }), { nil: undefined }),
      parts: fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), share),
      rootIndex: fc.nat(2),
    }),
    { maxLength: 60 },
  );

  it("is from 0 to 1 and does not depend on the order of the candidates", () => {
    fc.assert(
      fc.property(hits, anyProfile, fc.nat(20), (rows, profile, terms) => {
        const candidates: Candidate[] = rows.map((row, at) => ({
          ...row,
          chunkId: at,
          documentId: at,
          path: `${at}`,
          ordinal: 0,
          contentKey: `${at}`,
          sensitive: false,
          vector: undefined,
          held: 0,
        }));
        const options = {
          depth: 20,
          sharesOf: () => sharesOf(profile, terms),
          likeness: (_: number, to: ReadonlyMap<number, number>, among: readonly number[]) =>
            new Map(among.map((id) => [id, to.get(id) ?? id / 100])),
        };
        const scores = hybridScores(candidates, options);
        for (const score of scores.values()) assert.ok(score >= 0 && score <= 1 + 1e-9, `${score}`);
        const again = hybridScores(candidates.toReversed(), options);
        for (const [hit, score] of scores) assert.equal(again.get(hit), score);
      }),
    );
  });

  it("rises for what is like the first hits", () => {
    const vectors = Int8Array.from([100, 0, 90, 10, 0, 100, -100, 0]);
    const ids = Float64Array.from([1, 2, 3, 4]);
    const index = new VectorIndex({ ids, vectors }, [{ from: 0 }]);
    const alike = index.likeness(new Map([[1, 1]]), [4, 3, 2, 1, 99]);
    assert.deepEqual([...alike.keys()], [4, 3, 2, 1]);
    const of = (id: number) => alike.get(id) ?? Number.NaN;
    assert.ok(of(1) > of(2) && of(2) > of(3) && of(3) > of(4));
  });
});

it("parts of vectors are compared by themselves, and the whole as before", () => {
  const vectors = Int8Array.from([10, 0, 0, 10, 0, 10, 10, 0]);
  const ids = Float64Array.from([3, 7]);
  const index = new VectorIndex({ ids, vectors }, [{ from: 0, to: 2 }, { from: 2 }]);
  const near = index.compare(Int8Array.from([5, 0, 5, 0]));
  assert.deepEqual(near?.of(3), { whole: 0.5, parts: [1, 0] });
  assert.deepEqual(near?.of(7), { whole: 0.5, parts: [0, 1] });
  assert.equal(near?.of(5), undefined);
  assert.deepEqual([...(near?.nearest(1) ?? [])].length, 2);
  assert.equal(index.compare(Int8Array.from([1])), undefined);
});
