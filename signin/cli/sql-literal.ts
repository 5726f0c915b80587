import type { InValue } from "@libsql/core/api";
import { toHex, utf8 } from "../../shared/bytes.ts";

/**
 * A value as SQL. A text of other characters than these becomes hexadecimal digits: neither a shell, wrangler, which splits a
 * command into statements, nor SQLite can find a quote, a comment or a keyword in it.
 */
export function toSqlLiteral(value: InValue | undefined): string {
  if (value === null) return "NULL";
  if (typeof value === "boolean") return value ? "1" : "0";
  // In brackets: a minus before it would make a comment of two.
  // Whole: SQLite reads the last digit of some fractions differently.
  if (typeof value === "number" && Number.isSafeInteger(value))
    return value < 0 ? `(${value})` : `${value}`;
  if (typeof value !== "string")
    throw new TypeError("Only texts, numbers, booleans and null can stand in a command.");
  return /^[\w.:@-]*$/.test(value) ? `'${value}'` : `CAST(X'${toHex(utf8(value))}' AS TEXT)`;
}
