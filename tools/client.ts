// `npm run client:generate`: writes the types and the table of operations of the typed client from the OpenAPI document of
// the engine (`npm run openapi` writes that one).
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeOperations } from "./client/operations.ts";
import { jsonFieldNames } from "./client/schemas.ts";
import { writeTable } from "./client/table.ts";
import { writeTypes } from "./client/type-declarations.ts";
import type { Document } from "./documents/document.ts";

const ROOT = join(import.meta.dirname, "..");

/** The generated files of the client, by their paths. */
export function buildClientFiles(): Record<string, string> {
  const document: Document = JSON.parse(readFileSync(join(ROOT, "engine/openapi.json"), "utf8"));
  const operations = describeOperations(document, "/api/v1");
  return {
    "engine/client/wire.generated.ts": writeTypes(document, operations),
    "engine/client/operations.generated.ts": writeTable(operations, jsonFieldNames(document)),
  };
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(buildClientFiles())) {
    writeFileSync(join(ROOT, path), text);
  }
}
