import { z } from "@hono/zod-openapi";
import { field, object } from "../../shared/http/fields.ts";
import { HEADER_NAME } from "../http/wire.ts";
import {
  MODEL_HEADER_CHARACTERS_MAX,
  MODEL_HEADER_NAME_CHARACTERS_MAX,
  MODEL_HEADERS_MAX,
} from "./limits.ts";

// Allowed characters: visible ASCII, with spaces and tabs inside.
const VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;
// They describe the connection or the body, which are the engine's.
const OWN = new Set(
  (
    "accept-encoding connection content-encoding content-length content-type expect host keep-alive te trailer " +
    "transfer-encoding upgrade"
  ).split(" "),
);

const Headers = z.record(z.string(), z.string()).superRefine((headers, context) => {
  const fault = findFault(headers);
  if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
});

export const ModelHeaders = object({
  headers: Headers.describe(
    "At most 32 headers, by name; values of at most 4,096 characters of visible ASCII. Write-only.",
  ),
}).openapi("ModelHeaders", { description: "Headers of requests to the provider." });
export type ModelHeaders = z.infer<typeof ModelHeaders>["headers"];

export const ModelHeaderNames = object({
  names: field.list(z.string(), "Their names, as they were given."),
}).openapi("ModelHeaderNames", { description: "Which headers are stored." });

/** Never quotes a value; a name is quoted only if it is a token. */
function findFault(headers: ModelHeaders): string | undefined {
  const names = Object.keys(headers);
  if (names.length > MODEL_HEADERS_MAX) return `must have at most ${MODEL_HEADERS_MAX} headers`;
  const seen = new Set<string>();
  for (const name of names) {
    if (!HEADER_NAME.test(name) || name.length > MODEL_HEADER_NAME_CHARACTERS_MAX) {
      return "must have valid HTTP header names as keys";
    }
    const lower = name.toLowerCase();
    if (OWN.has(lower) || lower.startsWith("proxy-"))
      return `must not have ${name}, which the engine sets`;
    if (seen.has(lower)) return `must not name ${name} twice`;
    seen.add(lower);
    const value = headers[name] ?? "";
    if (value.length > MODEL_HEADER_CHARACTERS_MAX) {
      return `must have values of at most ${MODEL_HEADER_CHARACTERS_MAX} characters: ${name}`;
    }
    if (!VALUE.test(value))
      return `must have values of visible ASCII without spaces around: ${name}`;
  }
  return undefined;
}
