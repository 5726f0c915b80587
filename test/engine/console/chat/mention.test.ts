import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mentionsFor, mentionsIn } from "../../../../engine/console/page/chat/mention.ts";

const file = (relativePath: string) => ({
  rootIndex: 0,
  relativePath,
  name: relativePath.split("/").at(-1) ?? "",
});
const FILES = ["notes/tea/green.md", "notes/tea/black.md", "notes/teapot.md", "tea.md"].map(file);

describe("what `@` suggests", () => {
  const rows: [query: string, paths: string[]][] = [
    ["te", ["notes/tea/", "notes/tea/green.md", "notes/tea/black.md", "notes/teapot.md"]],
    ["TEA/", ["notes/tea/", "notes/tea/green.md", "notes/tea/black.md", "notes/teapot.md"]],
    ["notes/tea/", ["notes/tea/", "notes/tea/green.md", "notes/tea/black.md", "notes/teapot.md"]],
    ["", ["notes/", "notes/tea/", "notes/tea/green.md", "notes/tea/black.md"]],
    ["green", ["notes/tea/green.md", "notes/tea/black.md", "notes/teapot.md", "tea.md"]],
  ];
  for (const [query, paths] of rows) {
    it(`folders that ${JSON.stringify(query)} names, then the files that were found`, () => {
      const shown = mentionsFor(query, FILES, 4);
      assert.deepEqual(
        shown.map(({ path }) => path),
        paths,
      );
    });
  }

  it("is sent as long as the text names it; a folder says that it is one", () => {
    const mentions = [
      { rootIndex: 0, path: "notes/tea/" },
      { rootIndex: 1, path: "a.md" },
      { rootIndex: 1, path: "b.md" },
    ];
    assert.deepEqual(mentionsIn("Compare @notes/tea/ with @a.md", mentions), [
      { rootIndex: 0, path: "notes/tea", label: "the folder notes/tea/" },
      { rootIndex: 1, path: "a.md" },
    ]);
  });
});
