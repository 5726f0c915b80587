import type { ResultSet } from "@libsql/client";

/** As many rows as fit into one commit of background work by their `bytes`, at least one. */
export function rowsWithin(rows: ResultSet["rows"], bytesMax: number): ResultSet["rows"] {
  let sum = 0;
  return rows.filter(({ bytes }, at) => {
    sum += Number(bytes ?? 0);
    return at === 0 || sum <= bytesMax;
  });
}
