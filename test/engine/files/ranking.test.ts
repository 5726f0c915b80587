import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { createRanking } from "../../../engine/files/ranking.ts";

interface Candidate {
  rootIndex: number;
  folder: string;
  name: string;
}

/** The rule of the order, spelled out and slow. */
function expected(candidates: readonly Candidate[], query: string, count: number): string[] {
  const wanted = query.toLowerCase();
  return candidates
    .map(({ rootIndex, folder, name }) => {
      const path = folder === "" ? name : `${folder}/${name}`;
      const [nameKey, key] = [name.toLowerCase(), path.toLowerCase()];
      const rank = [
        wanted !== "" && nameKey === wanted,
        wanted !== "" && nameKey.startsWith(wanted),
        nameKey.includes(wanted),
        key.includes(wanted),
      ].indexOf(true);
      return { rootIndex, path, key, rank };
    })
    .filter(({ rank }) => rank >= 0)
    .sort(
      (one, other) =>
        one.rank - other.rank ||
        compareText(one.key, other.key) ||
        compareText(one.path, other.path) ||
        one.rootIndex - other.rootIndex,
    )
    .slice(0, count)
    .map(({ rootIndex, path }) => `${rootIndex}:${path}`);
}

function compareText(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

it("the best of any files in any order are those of the rule", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "A", "b", "."), minLength: 1, maxLength: 4 });
  const candidate = fc.record({
    rootIndex: fc.integer({ min: 0, max: 2 }),
    folder: fc.oneof(
      fc.constant(""),
      word,
      fc.tuple(word, word).map((parts) => parts.join("/")),
    ),
    name: word,
  });
  const query = fc.oneof(
    fc.constant(""),
    word,
    fc.tuple(word, word).map((parts) => parts.join("/")),
    word.map((text) => `${text}/`),
  );
  const selector = ({ rootIndex, folder, name }: Candidate) => `${rootIndex}:${folder}/${name}`;
  const candidates = fc.uniqueArray(candidate, { selector, maxLength: 60 });
  fc.assert(
    fc.property(candidates, query, fc.integer({ min: 1, max: 50 }), (candidates, query, count) => {
      const ranking = createRanking(query, count);
      for (const { rootIndex, folder, name } of candidates)
        if (![".", ".."].includes(name)) ranking.inFolder(rootIndex, folder)(name);
      const found = ranking.best().map((match) => `${match.rootIndex}:${match.relativePath}`);
      const usable = candidates.filter(({ name }) => ![".", ".."].includes(name));
      assert.deepEqual(found, expected(usable, query, count));
    }),
    { numRuns: 1_000 },
  );
});
