import assert from "node:assert/strict";
import { it } from "node:test";
import { readSources } from "./sources.ts";

const sources = readSources("engine", "signin", "shared");

/** A function with its written return type, by the verb that its name begins with. */
function declared(verb: string): { place: string; returns: string }[] {
  const declaration = new RegExp(
    `^(?:export )?(?:async )?function (${verb}[A-Z]\\w*)(?:<[^>]*>)?\\([\\s\\S]*?\\)(?:: ([\\s\\S]*?))? \\{$`,
    "gm",
  );
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(declaration)].flatMap(([, name, returns]) =>
      returns === undefined ? [] : [{ place: `${path}: ${name}`, returns }],
    ),
  );
}

const placeOf = ({ place }: { place: string }) => place;

it("find* can answer undefined", () => {
  const found = declared("find");
  assert.ok(found.length > 20);
  const wrong = found.filter(({ returns }) => !/\bundefined\b/.test(returns));
  assert.deepEqual(wrong.map(placeOf), []);
});

it("get* never answers undefined", () => {
  const found = declared("get");
  assert.ok(found.length > 0);
  const wrong = found.filter(({ returns }) => /\bundefined\b/.test(returns));
  assert.deepEqual(wrong.map(placeOf), []);
});

it("open* answers what has to be disposed or closed", () => {
  const found = declared("open");
  assert.ok(found.length > 10);
  const types = sources.flatMap(({ text }) => [
    ...text.matchAll(/(?:interface|class) (\w+)[^{]*\b(?:Async)?Disposable\b[^{]*\{/g),
    ...text.matchAll(
      /(?:interface|class) (\w+)[^{]*\{(?:(?!^\})[\s\S])*?(?:\[Symbol\.(?:asyncD|d)ispose\]|\bclose\()/gm,
    ),
  ]);
  const disposable = new Set(["FileHandle", ...types.map(([, name]) => name)]);
  const wrong = found.filter(({ returns }) => {
    const names = returns.match(/\w+/g) ?? [];
    return !names.some((name) => disposable.has(name) || /Disposable$/.test(name));
  });
  assert.deepEqual(wrong.map(placeOf), []);
});
