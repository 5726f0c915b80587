/** SQL that must hold where a statement runs, with its arguments. The statement may have more of them, such as `:userId`. */
export interface Condition {
  sql: string;
  args: Record<string, string | number>;
}

/** Both of two conditions; a name that they share has one value. */
export function both(one: Condition, other: Condition): Condition {
  return { sql: `(${one.sql}) AND (${other.sql})`, args: { ...one.args, ...other.args } };
}
