import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isJsonObject } from "../../../shared/json.ts";

const ROOT = join(import.meta.dirname, "../../..");
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** The schemas of an OpenAPI document of the tree, as judges of what a program sends. */
export class DocumentSchemas {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, formats: { "date-time": TIME } });

  constructor(path: "engine/openapi.json" | "signin/openapi.json") {
    const document = closed(JSON.parse(readFileSync(join(ROOT, path), "utf8")));
    if (!isJsonObject(document)) throw new TypeError(`${path} is no document.`);
    this.#ajv.addSchema(document, "document");
  }

  /** What is wrong with a value; `pointer` names its schema, such as `/components/schemas/Turn`. */
  faults(pointer: string, value: unknown): string[] {
    const validate = this.#ajv.getSchema(`document#${pointer}`);
    if (!validate) return [`${pointer} is no schema of the document`];
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
    );
  }
}

/** A copy in which an object has only the fields that its schema declares: another one is a fault. */
function closed(value: unknown, root = value): unknown {
  if (Array.isArray(value)) return value.map((item) => closed(item, root));
  if (!isJsonObject(value)) return value;
  if (Array.isArray(value.allOf)) return closed(merged(value.allOf, root), root);
  const entries = Object.entries(value).map(([key, item]) => [key, closed(item, root)]);
  const copy = Object.fromEntries(entries);
  const isOpen = "additionalProperties" in value || !isJsonObject(value.properties);
  return value.type === "object" && !isOpen ? { ...copy, additionalProperties: false } : copy;
}

/** One schema for the parts of an `allOf`, which are objects with fields of their own. */
function merged(parts: readonly unknown[], root: unknown) {
  const schemas = parts.map((part) => {
    const { $ref } = Object(part);
    const path = typeof $ref === "string" ? $ref.split("/").slice(1) : [];
    return path.reduce((schema, key) => Object(schema)[key], $ref ? root : part);
  });
  return {
    type: "object",
    properties: Object.assign({}, ...schemas.map((schema) => Object(schema).properties)),
    required: schemas.flatMap((schema) => Object(schema).required ?? []),
  };
}
