// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pathsOf } from "../../../support/engine/files.ts";
import { createRag } from "../../../support/engine/retrieval.ts";
import { createToolBench } from "../../../support/engine/tools.ts";
import {
  coreTitle,
  epubOf,
  odtOf,
  pptxOf,
  rtfOf,
  shapeOf,
  xlsxOf,
} from "../../../support/files/documents.ts";

const NOTHING = { rootIndex: 0, indexed: 0, unchanged: 0, skipped: 0, errors: 0, removed: 0 };

// The title of each says `okapi`, its text `zebra`.
const FILES = {
  "a.html": "<title>okapi</title><p>zebra stripes",
  "b.htm": "<title>okapi</title><p>zebra stripes",
  "c.xhtml":
    '<?xml version="1.0"?><html><head><title>okapi</title></head><body>zebra</body></html>',
  "d.pptx": pptxOf([shapeOf("title", "okapi") + shapeOf("body", "zebra")]),
  "e.xlsx": xlsxOf(
    { "zebra sheet": '<row><c t="inlineStr"><is><t>stripes</t></is></c></row>' },
    { more: [coreTitle("okapi")] },
  ),
  "f.odt": odtOf("<text:p>zebra</text:p>", { title: "okapi" }),
  "g.EPUB": epubOf(["<p>zebra</p>"], { title: "okapi" }),
  "h.rtf": rtfOf("{\\info{\\title okapi}}zebra"),
};
const PATHS = Object.keys(FILES).sort();

describe("An index", () => {
  it("holds text and title of every format", async () => {
    await using rag = await createRag([FILES]);
    assert.deepEqual(await rag.index(), { ...NOTHING, indexed: PATHS.length });
    for (const mode of ["keyword", "hybrid"] as const) {
      for (const query of ["zebra", "okapi"]) {
        const found = pathsOf(await rag.search(query, { mode, limit: 50 }));
        assert.deepEqual(found.sort(), PATHS, `${mode} ${query}`);
      }
    }
    const hits = await rag.search("zebra", { mode: "keyword", limit: 50 });
    const linesOf = (path: string) => hits.find((hit) => hit.path === path)?.start_line;
    assert.deepEqual([linesOf("a.html"), linesOf("e.xlsx")], [1, null]);
    assert.deepEqual(await rag.index(), { ...NOTHING, unchanged: PATHS.length });
  });

  it("counts a broken document as an error at each run, and reads its bytes once", async () => {
    await using rag = await createRag([
      {
        "broken.xlsx": FILES["e.xlsx"].subarray(0, 300),
        "locked.pptx": Buffer.from("d0cf11e0a1b11ae1".padEnd(64, "0"), "hex"),
        "deep.html": "<b>".repeat(6_000),
        "renamed.epub": FILES["e.xlsx"],
        "good.rtf": FILES["h.rtf"],
      },
    ]);
    assert.deepEqual(await rag.index(), { ...NOTHING, errors: 4, indexed: 1 });
    assert.deepEqual(await rag.index(), { ...NOTHING, errors: 4, unchanged: 1 });
  });

  it("takes text under the wrong name for text, and skips what is binary", async () => {
    await using rag = await createRag([
      {
        "list.xlsx": "zebra,1\n",
        "note.rtf": "zebra",
        "raw.html": Buffer.of(1, 0, 2),
        "x.epub": Buffer.of(0, 1),
      },
    ]);
    assert.deepEqual(await rag.index(), { ...NOTHING, indexed: 2, skipped: 2 });
    const found = pathsOf(await rag.search("zebra", { mode: "keyword" }));
    assert.deepEqual(found.sort(), ["list.xlsx", "note.rtf"]);
  });

  it("hides secrets in documents as in texts", async () => {
    const key = `ghp_${"a1B2".repeat(9)}`;
    await using rag = await createRag([
      { "a.rtf": rtfOf(`zebra ${key}`), "secrets/b.rtf": rtfOf("zebra") },
    ]);
    await rag.index();
    const [open, ...rest] = await rag.search("zebra", { mode: "keyword" });
    assert.equal(open?.content, "zebra [redacted secret]");
    assert.deepEqual(rest, []);
  });
});

describe("read_workspace_file", () => {
  it("returns the text of what the index can read, and the source of a page", async () => {
    await using rag = await createRag([{ ...FILES, "locked.xlsx": FILES["f.odt"] }]);
    await using bench = await createToolBench({ directories: rag.roots });
    const read = (path: string) => bench.run("read_workspace_file", { root_index: 0, path });
    assert.equal((await read("a.html")).content, FILES["a.html"]);
    const contents = await Promise.all(
      PATHS.slice(2).map(async (path) => (await read(path)).content),
    );
    assert.deepEqual(contents, [
      "zebra",
      "Slide 1: okapi\nzebra",
      "zebra sheet\nstripes",
      "zebra",
      "zebra",
      "zebra",
    ]);
    const refused = /^The text was not read\. The document lacks required parts\.$/;
    await bench.fails("read_workspace_file", { root_index: 0, path: "locked.xlsx" }, refused);
  });
});
