// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { countHeld, quotedPhrases } from "../../../engine/retrieval/text/keyword-query.ts";
import { type Files, pathsOf } from "../../support/engine/files.ts";
import { createRag } from "../../support/engine/retrieval.ts";

const SCATTERED = "vector of zebra and vector for zebra, store beside store, vector store zebra\n";
const HOLDER = `${"Other words that fill the page. ".repeat(30)}The Vector,\nStore is kept.\n`;

function many(count: number, text: string): Files {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`many${i}.txt`, text]));
}

describe("a quoted phrase", () => {
  it("is what stands between quotation marks, in lower case, with one space between its words", () => {
    const rows: [string, string[]][] = [
      ['"Exact  Words"', ["exact words"]],
      ["“curly ones” and „low ones”", ["curly ones", "low ones"]],
      ['"user_id" in "a.b" and "user id"', ["user id", "a b"]],
      ['"日本" text', ["日 本"]],
      ['"!?" "" "open', []],
      ["no quotes", []],
    ];
    for (const [query, expected] of rows) assert.deepEqual(quotedPhrases(query), expected, query);
  });

  it("is held by a text that has its words side by side in the same form", () => {
    const rows: [string, string, number][] = [
      ["The cache store.", "cache store", 1],
      ["the cache-store", "cache store", 1],
      ["CACHE\nSTORE", "cache store", 1],
      ["the caches store", "cache store", 0],
      ["the cache storeroom", "cache store", 0],
      ["store the cache", "cache store", 0],
      ["日本語", "日 本", 1],
    ];
    for (const [text, phrase, held] of rows) assert.equal(countHeld(text, [phrase]), held, text);
  });

  it("comes first in keyword and hybrid mode, whatever else a chunk has of the query", async () => {
    const files = { ...many(60, SCATTERED), "holder.txt": HOLDER, "stems.txt": "vectors stored" };
    await using rag = await createRag([files]);
    await rag.index();
    for (const mode of ["keyword", "hybrid"] as const) {
      const hits = await rag.search('zebra "vector the store" "the vector store"', { mode });
      assert.equal(pathsOf(hits)[0], "holder.txt", mode);
      assert.notEqual(pathsOf(await rag.search("zebra vector store", { mode }))[0], "holder.txt");
    }
  });

  it("is found below hundreds of better matches of a large index, by stop words, too", async () => {
    const files = { ...many(700, SCATTERED), "holder.txt": `${HOLDER}It was not to be.\n` };
    await using rag = await createRag([files]);
    await rag.index();
    for (const query of ['zebra "vector store is"', 'zebra "not to be"', 'zebra vector "kept"']) {
      for (const mode of ["keyword", "hybrid"] as const) {
        const [first, second] = await rag.search(query, { mode });
        assert.equal(first?.path, "holder.txt", `${mode}: ${query}`);
        assert.ok((first?.score ?? 0) > (second?.score ?? 0));
      }
    }
  });

  it("counts once each: more of the phrases stand before fewer, and fewer before none", async () => {
    await using rag = await createRag([
      {
        "none.txt": "fox of red, dog of brown, fox red, dog brown, lazy cat",
        "one.txt": `${"filler words here. ".repeat(40)}red fox red fox red fox`,
        "two.txt": `${"filler words here. ".repeat(40)}brown dog then red fox`,
        "stem.txt": "red foxes and brown dogs",
      },
    ]);
    await rag.index();
    for (const mode of ["keyword", "hybrid"] as const) {
      const hits = await rag.search('"red fox" lazy cat "brown dog"', { mode, limit: 50 });
      assert.deepEqual(pathsOf(hits).slice(0, 2), ["two.txt", "one.txt"], mode);
      assert.equal(hits.length, 4);
      for (const { score } of hits) assert.ok(score >= 0 && score <= 1);
    }
  });

  it("stands before others as a copy, and as the fifth chunk of a document", async () => {
    const page = `${"Other words that fill the page, one after the other. ".repeat(24)}`;
    const long = Array.from({ length: 6 }, (_, i) => `${page}\nred fox ${i}.\n`).join("\n");
    await using rag = await createRag([
      {
        "long.txt": long,
        "copy1.txt": "red fox",
        "copy2.txt": "red fox",
        "none.txt": "fox then red",
      },
    ]);
    await rag.index();
    const hits = await rag.search('"red fox"', { mode: "keyword", limit: 50 });
    const holders = hits.map(({ content }) => countHeld(content, ["red fox"]));
    assert.ok(holders.filter((held) => held > 0).length >= 7);
    assert.ok(holders.includes(0));
    assert.deepEqual(
      holders,
      holders.toSorted((a, b) => b - a),
    );
  });

  it("changes nothing in vector mode, and nothing of a sensitive file's order", async () => {
    await using rag = await createRag([{ "a.txt": "red fox", ".env": "red fox", "b.txt": "fox" }]);
    await rag.index();
    const quoted = await rag.search('"red fox"', { mode: "vector" });
    const plain = await rag.search("red fox", { mode: "vector" });
    assert.deepEqual(quoted, plain);
    assert.deepEqual(pathsOf(await rag.search('"sensitive file exists"', { mode: "keyword" })), []);
  });
});
