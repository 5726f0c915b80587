/** SQL that must hold where a statement runs, with its arguments. The statement may have more of them, such as `:userId`. */
export interface Condition {
  sql: string;
  args: Record<string, string | number>;
}
