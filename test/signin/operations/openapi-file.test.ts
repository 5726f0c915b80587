import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { readDocuments } from "../../../tools/openapi.ts";

it("signin/openapi.json is what the routes declare (else: npm run openapi)", async () => {
  const documents = await readDocuments();
  const committed = readFileSync("signin/openapi.json", "utf8");
  assert.equal(committed, documents["signin/openapi.json"]);
});
