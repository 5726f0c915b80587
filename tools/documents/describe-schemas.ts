import type { ProgramTexts } from "../../shared/http/openapi-texts.ts";
import type { JsonObject } from "./document.ts";

export function describeSchemas(
  schemas: Record<string, JsonObject>,
  texts: ProgramTexts,
  _faults: string[],
): Record<string, JsonObject> {
  return { ...schemas, ...texts.components };
}
