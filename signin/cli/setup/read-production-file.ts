/** What the production configuration of wrangler says already. */
export interface ProductionFile {
  name: string | undefined;
  /** Of `[vars]`. */
  variables: ReadonlyMap<string, string>;
  /** Of D1. */
  databaseName: string | undefined;
  databaseId: string | undefined;
}

/** The head of a table of TOML. */
export const TABLE_HEAD = /^\s*\[{1,2}([\w.-]+)\]{1,2}\s*(?:#.*)?$/;
const ENTRY = /^\s*([\w-]+)\s*=\s*("(?:[^"\\]|\\.)*"|'[^']*')\s*(?:#.*)?$/;

/** Reads the texts of a configuration of wrangler; values of other types do not matter here. */
export function readProductionFile(text: string): ProductionFile {
  const found = new Map<string, string>();
  let table = "";
  for (const line of text.split("\n")) {
    const header = TABLE_HEAD.exec(line);
    if (header) table = header[1] ?? "";
    const [, key, value = ""] = ENTRY.exec(line) ?? [];
    if (key !== undefined) found.set(`${table}.${key}`, toText(value));
  }
  const variables = [...found].flatMap(([path, value]) =>
    path.startsWith("vars.") ? [[path.slice("vars.".length), value] as const] : [],
  );
  return {
    name: found.get(".name"),
    variables: new Map(variables),
    databaseName: found.get("d1_databases.database_name"),
    databaseId: found.get("d1_databases.database_id"),
  };
}

function toText(quoted: string): string {
  if (quoted.startsWith("'")) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    // TOML has an escape that JSON has not (\U): the text counts as set.
    return quoted;
  }
}
