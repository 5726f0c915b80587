// `npm run client:generate`: writes the types and the table of operations of the typed clients from the OpenAPI documents of
// both programs (`npm run openapi` writes those).
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeOperations } from "./client/operations.ts";
import { jsonFieldNames } from "./client/schemas.ts";
import { writeTable } from "./client/table.ts";
import { writeTypes } from "./client/type-declarations.ts";
import type { Document } from "./documents/document.ts";

const ROOT = join(import.meta.dirname, "..");

/** The generated files of both clients, by their paths. */
export function buildClientFiles(): Record<string, string> {
  return { ...buildFiles("engine", "/api/v1"), ...buildFiles("signin", "") };
}

function buildFiles(program: "engine" | "signin", prefix: string): Record<string, string> {
  const text = readFileSync(join(ROOT, `${program}/openapi.json`), "utf8");
  const document: Document = JSON.parse(text);
  const operations = describeOperations(document, prefix);
  const isEngine = program === "engine";
  const jsonFields = isEngine ? jsonFieldNames(document) : undefined;
  return {
    [`${program}/client/wire.generated.ts`]: writeTypes(document, operations, program),
    [`${program}/client/operations.generated.ts`]: writeTable(operations, {
      program,
      jsonFields,
      hasSessions: !isEngine,
    }),
  };
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(buildClientFiles())) {
    writeFileSync(join(ROOT, path), text);
  }
}
