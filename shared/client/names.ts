// Between the wire and a client: the names of fields.

// The arguments of a tool are not converted: their names are the tool's.
const OPAQUE = "arguments";

/** Renames every field: `rootIndex` → `root_index`. */
export function toSnakeCase(value: unknown): unknown {
  return renameFields(value, toSnakeName);
}

/** `rootIndex` → `root_index` */
export function toSnakeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Renames every field: `root_index` → `rootIndex`. */
export function toCamelCase(value: unknown): unknown {
  return renameFields(value, (name) =>
    name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
  );
}

function renameFields(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((entry) => renameFields(entry, rename));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, field]) => [
    rename(name),
    name === OPAQUE ? field : renameFields(field, rename),
  ]);
  return Object.fromEntries(entries);
}
