import assert from "node:assert/strict";
import { it } from "node:test";
import { readSources, SOURCE_FOLDERS } from "./sources.ts";

const EXPORT = /^export (?:async )?(?:function\*?|const|class|abstract class) (\w+)/gm;
const MADE_FOR_TOOLS = /\/(schema|drizzle\.config|no-documents)\.ts$|^signin\/workers\//;

const sources = readSources(...SOURCE_FOLDERS);
// The writers of the documents and the tests of the house use the product as programs do.
const users = [...sources, ...readSources("test/support", "test/whole/fuzz", "test/house")].filter(
  ({ path }) => path !== "test/house/exports.test.ts",
);
const words = new Map(users.map(({ path, text }) => [path, new Set(text.match(/\w+/g))]));

// A type may be exported because the signature of an exported function names it.
it("every exported value of product code is used outside its file and the tests", () => {
  const unused = sources.flatMap(({ path, text }) => {
    if (!/^(engine|signin|shared)\//.test(path) || MADE_FOR_TOOLS.test(path)) return [];
    return [...text.matchAll(EXPORT)].flatMap(([, name = ""]) =>
      [...words].some(([other, used]) => other !== path && used.has(name)) ? [] : `${path} ${name}`,
    );
  });
  assert.deepEqual(unused, []);
});
