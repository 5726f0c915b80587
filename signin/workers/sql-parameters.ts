/** A parameter of a statement: by its name, or by its position from 0. */
export type Parameter = { name: string } | { position: number };

// Texts, quoted names and comments are skipped; then `?3`, `?` and `:name` are captured.
const TOKENS =
  /'[^']*'?|"[^"]*"?|`[^`]*`?|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*|\?(\d{0,5})|[:@$]([A-Za-z_]\w*)/g;

/** The statement with each of its parameters replaced. */
export function replaceParameters(sql: string, replace: (parameter: Parameter) => string): string {
  let next = 0;
  return sql.replaceAll(TOKENS, (text, number: string | undefined, name: string | undefined) => {
    if (name !== undefined) return replace({ name });
    if (number === undefined) return text;
    const position = number === "" ? next : Number(number) - 1;
    next = position + 1;
    return replace({ position });
  });
}

/** Values by their names, without the mark that `@libsql/client` allows before a name. */
export function byName<Value>(args: Readonly<Record<string, Value>>): Map<string, Value> {
  return new Map(Object.entries(args).map(([name, value]) => [name.replace(/^[:@$]/, ""), value]));
}
