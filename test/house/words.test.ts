import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { it } from "node:test";
import { ROOT, readSources, type Source } from "./sources.ts";

const product = readSources("engine", "signin", "shared");
const everything = [...product, ...readSources("tools", "dev", "bench", "test")];

function lines(sources: readonly Source[], pattern: RegExp, allowed?: RegExp): string[] {
  return sources.flatMap(({ path, lines }) =>
    allowed?.test(path)
      ? []
      : lines.flatMap((line, at) => (pattern.test(line) ? `${path}:${at + 1} ${line.trim()}` : [])),
  );
}

const words = (...names: string[]) => new RegExp(`\\b(${names.join("|")})\\b`);

it("nothing is left for later", () => {
  assert.deepEqual(
    lines(everything, words("TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK")),
    [],
  );
});

it("no check is switched off", () => {
  const found = lines(everything, /@ts-(ignore|nocheck|expect-error)|\bas any[;,)\].]/);
  assert.deepEqual(
    found.filter((line) => !line.startsWith("test/house/")),
    [],
  );
});

it("no test is skipped or left alone", () => {
  const found = lines(
    everything,
    /\b(it|test|describe)\.(skip|only|todo)\(|\{ *(skip|only|todo): *true/,
  );
  assert.deepEqual(
    found.filter((line) => !line.startsWith("test/house/")),
    [],
  );
});

it("state changes by one statement or one batch: no interactive transaction, no drizzle batch", () => {
  const found = lines(product, /\bdb\.(transaction|batch)\(|\.transaction\(\s*(async|\()/);
  assert.deepEqual(found, []);
});

it("exports are named, and nothing is exported wholesale", () => {
  const allowed = /^signin\/worker\.ts$|\.config\.ts$|^signin\/workers\/zod\//;
  assert.deepEqual(lines(product, /^export default\b|^export \* /, allowed), []);
});

it("files have names that say what is in them", () => {
  const empty = /^(index|utils?|helpers?|common|misc|types|.*service|.*manager|base)$/;
  const found = everything.flatMap(({ path }) => {
    const name = basename(path).replace(/(\.test)?\.(ts|mjs)$/, "");
    return empty.test(name) || !/^[a-z0-9]+([.-][a-z0-9]+)*$/.test(name) ? path : [];
  });
  assert.deepEqual(found, []);
});

it("every file says in a sentence what it is for", () => {
  const plain = /\/wire\.ts$|\.config\.ts$|^signin\/workers\/zod\//;
  const found = product.flatMap(({ path, text }) =>
    plain.test(path) || /^\s*(\/\*\*|\/\/)/m.test(text) || !/^export /m.test(text) ? [] : path,
  );
  assert.deepEqual(found, []);
});

it("modules keep no state of their own", () => {
  const found = lines(
    product,
    /^(export )?let \w|^(export )?(const|var) \w+(: [^=]+)? = new (Map|Set|WeakMap|WeakSet)(<.*>)?\(\)/,
  );
  assert.deepEqual(
    found.filter((line) => !/^engine\/start\.mjs/.test(line)),
    [],
  );
});

// People in the place of programs, idioms, and names that were given up (CONTRIBUTING.md, prose).
const OUT =
  /\b(who(m)?ever|nobody|somebody|everybody|(is|are|was|were|be|been|being) told|goes by|speaks? of|c(o|a)mes? of|takes? along|ma(d|k)es? anew|not to be had|not waited for|rims?|speakers?)\b/i;
it("documents are written in plain technical English", () => {
  const found = globSync("{*.md,docs/**/*.md,signin/*.md}", { cwd: ROOT }).flatMap((path) =>
    readFileSync(join(ROOT, path), "utf8")
      .split("\n")
      .flatMap((line, at) => (OUT.test(proseOf(path, line)) ? `${path}:${at + 1} ${line}` : [])),
  );
  assert.deepEqual(found, []);
});

it("comments, log lines, error texts and test names are written in plain technical English", () => {
  assert.deepEqual(lines(everything, OUT, /^test\/house\/words\.test\.ts$/), []);
});

it("words that are out are found", () => {
  for (const text of [
    "Whoever asked is gone.",
    "the client is told",
    "what came of it",
    "both rims",
  ]) {
    assert.match(text, OUT);
  }
  assert.doesNotMatch("The trimmed outcome was not awaited.", OUT);
});

/** A line without code; of a table of the contract only the clause, as the names of tests are elsewhere. */
function proseOf(path: string, line: string): string {
  const isRow = path.startsWith("docs/contract/") && line.startsWith("| ");
  const prose = isRow ? line.split(" | ").slice(0, 2).join(" ") : line;
  return prose.replace(/`[^`]*`/g, "");
}
