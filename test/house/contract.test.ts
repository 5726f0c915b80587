import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type Comment, readComments } from "./comments.ts";
import { type ContractPage, readContract } from "./contract-pages.ts";
import { ROOT, SOURCE_FOLDERS } from "./sources.ts";

const SECTIONS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
const NAME_CHARACTERS_MIN = 5;
const pages = { Engine: readContract("engine"), "Sign-in": readContract("signin") };
const comments = readComments(...SOURCE_FOLDERS, "test");
const sourceComments = comments.filter(({ file }) => !file.startsWith("test/"));

for (const [name, page] of Object.entries(pages)) {
  describe(`the contract page ${page.path}`, () => {
    it("has the sections 1 to 9, and clauses in each", () => {
      assert.deepEqual([...page.sections], SECTIONS);
      for (const section of SECTIONS) {
        assert.ok(
          page.clauses.some(({ id }) => id.startsWith(`${section}.`)),
          section,
        );
      }
    });

    it("has every id once, under the heading that it begins with", () => {
      const ids = page.clauses.map(({ id }) => id);
      assert.deepEqual(
        ids.filter((id, at) => ids.indexOf(id) !== at),
        [],
      );
      assert.deepEqual(
        page.clauses.filter(({ id, heading }) => !id.startsWith(`${heading}.`)),
        [],
      );
    });

    it("names tests that exist", () => {
      const missing = page.clauses.flatMap(({ id, tests }) => {
        if (tests.length === 0) return `${id}: no test`;
        return tests
          .filter((test) => !hasTest(test))
          .map(({ file, name }) => `${id}: ${file}: ${name}`);
      });
      assert.deepEqual(missing, []);
    });

    it("is cited in comments by sections, headings and clauses that it has", () => {
      const found = comments.flatMap((comment) => referencesIn(comment, name));
      assert.ok(found.length > 10);
      const dangling = found.filter(({ place }) => !resolves(page, place));
      assert.deepEqual(
        dangling.map(({ at, place }) => `${at}: ${name} §${place}`),
        [],
      );
    });
  });
}

describe("comments", () => {
  it("cite the contract, and no document that is not in the repository", () => {
    const foreign =
      /\bdecisions? \d|\bissue \d|\bfinding \d|\((?:Engine|Sign-in),|\bspecification §/;
    assert.deepEqual(
      comments.filter(({ text }) => foreign.test(text)).map(({ at }) => at),
      [],
    );
  });

  it("name files that exist", () => {
    assert.deepEqual(sourceComments.flatMap(missingPaths), []);
  });

  it("name headings that their documents have", () => {
    const missing = sourceComments.flatMap(({ at, text }) =>
      [...text.matchAll(/\b([A-Z]+\.md), (?:"([^"]+)"|([a-z][^).;:]+))/g)]
        .filter(([, document = "", quoted, plain]) => !hasHeading(document, quoted ?? plain ?? ""))
        .map(([citation]) => `${at}: ${citation}`),
    );
    assert.deepEqual(missing, []);
  });
});

function exists(path: string): boolean {
  return existsSync(join(ROOT, path));
}

function hasTest({ file, name }: { file: string; name: string }): boolean {
  if (name.length < NAME_CHARACTERS_MIN || !exists(file)) return false;
  return readFileSync(join(ROOT, file), "utf8").includes(name);
}

/** What follows each `Engine §`: `2`, `2.9.3`, `2, tool rules 3` or "4, `GET /models`". */
function referencesIn({ at, text }: Comment, name: string): { at: string; place: string }[] {
  const pattern = new RegExp(`\\b${name} §([\\d.]*\\d[a-z]?(?:, [^).;:,]+)?)`, "g");
  return [...text.matchAll(pattern)].map(([, place = ""]) => ({ at, place: place.trim() }));
}

function resolves(page: ContractPage, place: string): boolean {
  const [number = "", words] = place.split(", ");
  if (words === undefined) {
    const ids = page.clauses.map(({ id }) => id);
    return page.sections.has(number) || page.headings.has(number) || hasClause(ids, number);
  }
  const [, code] = /^`([^`]+)`$/.exec(words) ?? [];
  if (code !== undefined) {
    return page.clauses.some(({ id, text }) => id.startsWith(`${number}.`) && text.includes(code));
  }
  const [, title = "", numbers = ""] = /^(.*?)((?: (?:to |and )?\d+[a-z]?)*)$/.exec(words) ?? [];
  const heading = page.findHeading(number, title);
  if (heading === undefined) return false;
  const ids = page.clauses.filter((clause) => clause.heading === heading).map(({ id }) => id);
  return (numbers.match(/\d+[a-z]?/g) ?? []).every((clause) =>
    hasClause(ids, `${heading}.${clause}`),
  );
}

/** A clause, or the parts of one: `2.8.4` is there where `2.8.4a` is. */
function hasClause(ids: readonly string[], wanted: string): boolean {
  return ids.some((id) => id === wanted || id.replace(/[a-z]$/, "") === wanted);
}

function missingPaths({ at, file, text }: Comment): string[] {
  const path = /(?<![\w/.*-])((?:[\w.-]+\/)*[\w.-]+\.(?:ts|mjs|md|sql|toml|html|css))\b/g;
  const folders = file.split("/").map((_, at, parts) => parts.slice(0, at).join("/"));
  return [...text.matchAll(path)]
    .map(([, named = ""]) => named)
    .filter((named) => !named.startsWith("./"))
    .filter((named) => !folders.some((folder) => exists(join(folder, named))))
    .map((named) => `${at}: ${named}`);
}

function hasHeading(document: string, heading: string): boolean {
  if (!exists(document)) return false;
  const wanted = heading.trim().toLowerCase();
  return readFileSync(join(ROOT, document), "utf8")
    .split("\n")
    .some((line) => /^#+ /.test(line) && line.replace(/^#+ /, "").toLowerCase() === wanted);
}
