import { JSON_FIELDS } from "./operations.generated.ts";

// Between the wire and the client: names in camelCase, and JSON in strings as values.

/** Gives strings for the values of JSON fields. A malformed one goes back as it came; a string is taken for encoded JSON. */
export function encodeJsonFields(value: unknown): unknown {
  return mapJsonFields(value, (field) => {
    if (typeof field === "string" || field === null || field === undefined) return field;
    const { malformed } = field as { malformed?: unknown };
    return typeof malformed === "string" ? malformed : JSON.stringify(field);
  });
}

/** Gives values for the strings of JSON fields; `{malformed}` where a string holds no JSON. */
export function parseJsonFields(value: unknown): unknown {
  return mapJsonFields(value, (field) => {
    if (typeof field !== "string") return field;
    try {
      return JSON.parse(field);
    } catch {
      return { malformed: field };
    }
  });
}

/** Those of an object, or of the objects of a list. */
function mapJsonFields(value: unknown, map: (field: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => mapJsonFields(entry, map));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    JSON_FIELDS.includes(name) ? map(field) : field,
  ]);
  return Object.fromEntries(fields);
}
