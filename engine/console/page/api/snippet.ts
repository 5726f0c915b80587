import { toCamelCase } from "../../../../shared/client/names.ts";
import type { Operation } from "../../../../shared/client/operation.ts";
import { parseJsonFields } from "../../../client/fields.ts";
import { OPERATIONS } from "../../../client/operations.generated.ts";
import type { ApiValues } from "./api-request.ts";
import type { ApiOperation } from "./document.ts";

/** The call of the client that sends what the form describes; undefined for an operation that the client of this page lacks. */
export function snippetOf(operation: ApiOperation, values: ApiValues): string | undefined {
  const row = Object.hasOwn(OPERATIONS, operation.id)
    ? OPERATIONS[operation.id as keyof typeof OPERATIONS]
    : undefined;
  if (!row) return undefined;
  const ids = operation.parameters
    .filter(({ in: place }) => place === "path")
    .map(({ name }) => JSON.stringify(values.parameters[name] ?? ""));
  const input = inputOf(operation, values, row.traits);
  const args = [...ids, ...(input === undefined ? [] : [toSource(input)])].join(", ");
  const call = `engine.${row.as}(${args})`;
  if (row.traits.includes("events"))
    return `for await (const event of ${call}) console.log(event);`;
  return `const result = await ${call};`;
}

/** Query and body in one object, as the client takes them: names in camelCase, JSON in strings as values. */
function inputOf(operation: ApiOperation, values: ApiValues, traits: Operation["traits"]): unknown {
  const query = operation.parameters.flatMap(({ in: place, name, schema }) => {
    const text = values.parameters[name] ?? "";
    if (place !== "query" || text === "") return [];
    return [[name, schema.type === "integer" ? Number(text) : text]];
  });
  const body = values.body === undefined ? undefined : bodyOf(values.body, traits);
  if (query.length === 0 || Array.isArray(body)) return body;
  return { ...Object.fromEntries(query), ...Object(body) };
}

function bodyOf(text: string, traits: Operation["traits"]): unknown {
  const body: unknown = JSON.parse(text);
  const named = traits.includes("snakeBody") ? toCamelCase(body) : body;
  return traits.includes("json") ? parseJsonFields(named) : named;
}

/** A value as source, with names that need no quotes. */
function toSource(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return text.replace(/^( *)"([A-Za-z_$][\w$]*)": /gm, "$1$2: ");
}
