import { ignoredBody } from "../../engine/http/route.ts";
import type { ProgramTexts } from "../../shared/http/openapi-texts.ts";
import { isJsonObject } from "../../shared/json.ts";
import type { Document, JsonObject } from "./document.ts";

/** The routes of a program whose texts stand in files of their own, with these texts. */
export function joinTexts(declared: Document, texts: ProgramTexts): Document {
  const paths: Document["paths"] = {};
  for (const [path, operations] of Object.entries(declared.paths)) {
    paths[path] = {};
    for (const [method, operation] of Object.entries(operations)) {
      const name = `${method.toUpperCase()} ${path.slice(texts.prefix.length)}`;
      const slice = texts.slices.find(({ operations }) => name in operations);
      const text = slice?.operations[name];
      if (!slice || !text) throw new Error(`${name} needs texts in the openapi.ts of its slice.`);
      paths[path][method] = {
        ...operation,
        operationId: text.id,
        tags: [slice.tag],
        summary: text.summary,
        description: text.about,
        ...(operation.parameters === undefined
          ? {}
          : {
              parameters: operation.parameters.map((parameter) => {
                const key = String(parameter.name);
                const description = text.parameters?.[key] ?? texts.parameters[key];
                return { ...parameter, description };
              }),
            }),
        ...(text.ignoresBody ? { requestBody: ignoredBody.body } : {}),
      };
    }
  }
  const known = Object.assign({}, ...texts.slices.map(({ schemas }) => schemas));
  const schemas = Object.entries(declared.components.schemas)
    .filter(([name]) => !(name in texts.components))
    .map(([name, schema]) => {
      const { about, like, fields } = known[name] ?? {};
      const described = describeFields(schema, "", { ...known[like]?.fields, ...fields });
      return [name, { ...described, description: about }];
    });
  return {
    ...declared,
    paths,
    components: { ...declared.components, schemas: Object.fromEntries(schemas) },
  };
}

/** The tags of the slices; slices may share one, and the first one describes it. */
export function tagsOf({ slices }: ProgramTexts): Record<string, string> {
  const tags: Record<string, string> = {};
  for (const { tag, about } of slices) tags[tag] ??= about;
  return tags;
}

/** `texts` are by the path of the field in the schema. */
function describeFields(
  schema: JsonObject,
  path: string,
  texts: Readonly<Record<string, string>>,
): JsonObject {
  const described: Record<string, unknown> = { ...schema };
  if (isJsonObject(schema.items)) described.items = describeFields(schema.items, path, texts);
  for (const union of ["allOf", "anyOf", "oneOf"] as const) {
    const members = schema[union];
    if (!Array.isArray(members)) continue;
    described[union] = members.map((member) => describeFields(member, path, texts));
  }
  if (isJsonObject(schema.properties)) {
    described.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([key, field]) => {
        const at = path === "" ? key : `${path}.${key}`;
        const inner = describeFields(field as JsonObject, at, texts);
        return [key, { description: texts[at], ...inner }];
      }),
    );
  }
  return described;
}
