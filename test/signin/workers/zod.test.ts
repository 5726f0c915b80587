import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { it } from "node:test";
import * as names from "../../../signin/workers/zod/names.ts";

const TYPES_ONLY = new Set(["infer", "input", "output", "core"]);

it("the Worker's part of zod has every name that the program uses", () => {
  const files = globSync("{signin,shared}/**/*.ts", {
    exclude: ["**/*.d.ts", "shared/node/**", "signin/node/**", "signin/cli/**"],
  });
  const used = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\bz\.([A-Za-z]+)/g)].map((match) => match[1] ?? ""),
  );
  assert.equal(used.length > 50, true, "it looks at the right files");
  const missing = new Set(used.filter((name) => !TYPES_ONLY.has(name) && !(name in names)));
  assert.deepEqual([...missing], [], "add them to signin/workers/zod/names.ts");
});
