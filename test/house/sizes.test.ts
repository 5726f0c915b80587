import assert from "node:assert/strict";
import { it } from "node:test";
import { readSources, SOURCE_FOLDERS, type Source } from "./sources.ts";

// The budgets are 250 and 60; these are the bounds that nothing passes.
const FILE_LINES_MAX = 320;
const TEST_LINES_MAX = 350;
const FUNCTION_LINES_MAX = 80;

it("a file holds one idea", () => {
  const found = readSources(...SOURCE_FOLDERS, "test").flatMap(({ path, lines }) => {
    // One list of all tables, as ARCHITECTURE.md says why.
    if (path.endsWith("/db/schema.ts")) return [];
    const max = isTest(path) ? TEST_LINES_MAX : FILE_LINES_MAX;
    return lines.length - 1 > max ? `${path}: ${lines.length - 1} lines` : [];
  });
  assert.deepEqual(found, []);
});

function isTest(path: string): boolean {
  return path.startsWith("test/") && !path.startsWith("test/support/");
}

it("a function fits a screen", () => {
  const found = readSources(...SOURCE_FOLDERS).flatMap(longFunctions);
  assert.deepEqual(found, []);
});

// The formatter puts the end of a function on a line of its own, as deep as its beginning.
function longFunctions({ path, lines }: Source): string[] {
  return lines.flatMap((line, at) => {
    if (!line.endsWith("{") || !isFunctionHead(line)) return [];
    const indent = indentOf(line);
    const length = lines.slice(at + 1).findIndex((next) => next.startsWith(`${indent}}`)) + 2;
    // A list of routes is a table; each of its handlers is measured.
    if (lines.slice(at, at + length).some((one) => one.includes("return createRouter({")))
      return [];
    return length > FUNCTION_LINES_MAX ? `${path}:${at + 1} ${length} lines` : [];
  });
}

function isFunctionHead(line: string): boolean {
  const text = line.trim();
  if (/^(if|for|while|switch|catch|\} |else|do|try|class|export class|interface)\b/.test(text))
    return false;
  return /=> \{$/.test(text) || /\bfunction\b/.test(text) || /\)(: [^=]+)? \{$/.test(text);
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? "";
}
