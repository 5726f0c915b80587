import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { buildAgentFiles } from "../../tools/agents.ts";
import { ROOT } from "./sources.ts";

it("AGENTS.md and llms.txt are made from the pages (npm run agents)", () => {
  for (const [path, text] of Object.entries(buildAgentFiles())) {
    assert.equal(readFileSync(join(ROOT, path), "utf8"), text, path);
  }
});
