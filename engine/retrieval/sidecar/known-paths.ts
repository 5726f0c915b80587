import type { Sidecar } from "./sidecar.ts";

/** Whether the index has a document or a failure at a path, or below it. */
export function knowsPath(sidecar: Sidecar, path: string): boolean {
  // "0" is the character after "/".
  const values = [path, `${path}/`, `${path}0`];
  return ["document", "failure"].some(
    (table) =>
      sidecar.get(
        `SELECT 1 FROM ${table} WHERE path = ? OR (path >= ? AND path < ?) LIMIT 1`,
        values,
      ) !== undefined,
  );
}
