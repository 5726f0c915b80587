import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";

const ROOT = join(import.meta.dirname, "../..");

it("each line of the conformance tables names a test that exists", () => {
  const tests = globSync(["test/whole/**/signin*{.ts,/*.ts}", "test/{signin,house}/**/*.ts"], {
    cwd: ROOT,
  })
    .map((file) => readFileSync(join(ROOT, file), "utf8"))
    .join("\n");
  const page = readFileSync(join(ROOT, "docs/contract/signin.md"), "utf8");
  const [, tables = ""] = page.split("\n## Conformance and attacks\n");
  const names = tables
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (module|family) /.test(line))
    .map((line) => line.split(" | ")[2] ?? "");
  assert.equal(names.length > 90, true, `${names.length} lines`);
  assert.deepEqual(
    names.filter((name) => !tests.includes(name)),
    [],
  );
});
