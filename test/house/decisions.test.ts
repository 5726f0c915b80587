import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readComments } from "./comments.ts";
import { ROOT } from "./sources.ts";

const ID = /\b[ESB]-[A-Z]+-\d+\b/g;
const LINES_MAX = 4;
const index = readFileSync(join(ROOT, "DECISIONS.md"), "utf8");
const pages = globSync("docs/decisions/*.md", { cwd: ROOT }).sort();
const bullets = pages.flatMap((page) =>
  readFileSync(join(ROOT, page), "utf8")
    .split(/\n(?=- |#|\n)/)
    .map((text) => text.trim())
    .filter((text) => text.startsWith("- "))
    .map((text) => ({ page, text, id: /^- ([ESB]-[A-Z]+-\d+) \*\*[^*]/.exec(text)?.[1] ?? "" })),
);
const ids = bullets.map(({ id }) => id);
const sectionOf = (id: string) => id.replace(/-\d+$/, "");

describe("the decisions", () => {
  it("each have an id and bold words, and few lines", () => {
    assert.ok(bullets.length > 100);
    assert.deepEqual(
      bullets.filter(({ id, text }) => id === "" || text.split("\n").length > LINES_MAX),
      [],
    );
  });

  it("are numbered from 1 in each section, without a gap", () => {
    for (const section of new Set(ids.map(sectionOf))) {
      const own = ids.filter((id) => sectionOf(id) === section);
      assert.deepEqual(
        own,
        own.map((_, at) => `${section}-${at + 1}`),
      );
    }
  });

  it("are under a heading of their section, which the index lists", () => {
    const listed = [...index.matchAll(/^\| `([ESB]-[A-Z]+)` \|/gm)].map(([, name]) => name);
    const headings = pages.flatMap((page) =>
      [...readFileSync(join(ROOT, page), "utf8").matchAll(/^## ([ESB]-[A-Z]+): /gm)].map(
        ([, name]) => name,
      ),
    );
    assert.deepEqual([...new Set(ids.map(sectionOf))].sort(), [...listed].sort());
    assert.deepEqual([...headings].sort(), [...listed].sort());
    for (const page of pages) assert.ok(index.includes(`(${page})`), page);
  });

  it("exist where a comment or a document cites one", () => {
    const comments = readComments("engine", "signin", "shared", "tools", "dev", "bench", "test");
    const cited = comments.flatMap(({ at, text }) =>
      (text.match(ID) ?? []).map((id) => ({ at, id })),
    );
    const documents = globSync("{*.md,docs/**/*.md,signin/*.md}", { cwd: ROOT }).flatMap((at) =>
      (readFileSync(join(ROOT, at), "utf8").match(ID) ?? []).map((id) => ({ at, id })),
    );
    assert.ok(cited.length > 5);
    assert.deepEqual(
      [...cited, ...documents].filter(({ id }) => !ids.includes(id)),
      [],
    );
  });
});
