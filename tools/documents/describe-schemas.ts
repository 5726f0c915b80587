import type {
  FieldText,
  ProgramTexts,
  SchemaText,
  SliceTexts,
} from "../../shared/http/openapi-texts.ts";
import { isJsonObject } from "../../shared/json.ts";
import type { JsonObject } from "./document.ts";

/** As much of the texts of a program as describes its schemas. */
interface KnownTexts extends Pick<ProgramTexts, "components"> {
  slices: readonly Pick<SliceTexts, "schemas">[];
}

/** Components with a sentence for each and for each of their fields. What is missing or left over becomes a fault. */
export function describeSchemas(
  schemas: Readonly<Record<string, JsonObject>>,
  texts: KnownTexts,
  faults: string[],
): Record<string, JsonObject> {
  const known = new Map(texts.slices.flatMap((slice) => Object.entries(slice.schemas ?? {})));
  const described: Record<string, JsonObject> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const text = known.get(name);
    known.delete(name);
    if (name in texts.components) continue;
    if (!text) faults.push(`${name}: the schema needs texts in the openapi.ts of its slice`);
    else
      described[name] = describeSchema(name, schema, fieldsOf(name, texts, faults), text, faults);
  }
  for (const name of known.keys()) {
    if (!(name in texts.components)) faults.push(`${name}: has texts, and no schema`);
  }
  return { ...described, ...texts.components };
}

function describeSchema(
  name: string,
  schema: JsonObject,
  fields: Fields,
  { about, fields: own = {} }: SchemaText,
  faults: string[],
): JsonObject {
  const left = new Set(Object.keys(own));
  const described = describeFields(schema, "", (path) => {
    left.delete(path);
    const text = fields.get(path);
    if (text === undefined) faults.push(`${name}.${path}: needs a text`);
    return text;
  });
  for (const path of left) faults.push(`${name}.${path}: has a text, and no field`);
  return { description: about, ...described };
}

type Fields = ReadonlyMap<string, FieldText>;

/** The texts of the fields, with those of the schema that it is like. */
function fieldsOf(name: string, { slices }: Pick<KnownTexts, "slices">, faults: string[]): Fields {
  const text = slices.map(({ schemas }) => schemas?.[name]).find((found) => found !== undefined);
  if (name !== "" && !text) faults.push(`${name}: is like no schema that has texts`);
  const inherited = text?.like === undefined ? [] : fieldsOf(text.like, { slices }, faults);
  return new Map([...inherited, ...Object.entries(text?.fields ?? {})]);
}

function describeFields(
  schema: JsonObject,
  path: string,
  textOf: (path: string) => FieldText | undefined,
): JsonObject {
  const described: Record<string, unknown> = { ...schema };
  if (Array.isArray(schema.enum) && Array.isArray(schema.type) && schema.type.includes("null")) {
    // zod-to-openapi leaves the null out of the values.
    described.enum = [...new Set([...schema.enum, null])];
  }
  if (isJsonObject(schema.items)) described.items = describeFields(schema.items, path, textOf);
  for (const union of ["allOf", "anyOf", "oneOf"] as const) {
    const members = schema[union];
    if (!Array.isArray(members)) continue;
    described[union] = members.map((member) => describeFields(member, path, textOf));
  }
  if (isJsonObject(schema.properties)) {
    described.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([key, field]) => {
        const at = path === "" ? key : `${path}.${key}`;
        const inner = describeFields(field as JsonObject, at, textOf);
        return [key, { ...toField(textOf(at)), ...inner }];
      }),
    );
  }
  return described;
}

function toField(text: FieldText | undefined): JsonObject {
  if (text === undefined || typeof text === "string") return { description: text };
  return {
    description: text.about,
    contentMediaType: "application/json",
    contentSchema: { $ref: `#/components/schemas/${text.contentSchema}` },
    example: JSON.stringify(text.example),
  };
}
