import type { Sidecar } from "./sidecar.ts";

/**
 * A file or folder that could not be read, with its stamp. A file with a stamp or a hash is retried once it has changed,
 * anything else at every run.
 */
export interface FailureRow {
  path: string;
  /** Null where its times were too recent (see `stampOf`), and where it could not be opened. */
  stamp: string | null;
  /** Null if reading the file did not end, or did not begin. */
  hash: Uint8Array | null;
  /** A sentence for the log and the user. */
  reason: string;
}

type FailureValues = [string, string | null, Uint8Array | null, string];

/** The first ones by path; by default all of them. */
export function listFailures(sidecar: Sidecar, limit = -1): FailureRow[] {
  return sidecar
    .all<FailureValues>("SELECT path, stamp, hash, reason FROM failure ORDER BY path LIMIT ?", [
      limit,
    ])
    .map(([path, stamp, hash, reason]) => ({ path, stamp, hash, reason }));
}

export function countFailures(sidecar: Sidecar): number {
  return sidecar.get<[number]>("SELECT count(*) FROM failure")?.[0] ?? 0;
}

/** Call it within a write. */
export function upsertFailure(sidecar: Sidecar, { path, stamp, hash, reason }: FailureRow): void {
  sidecar.run("INSERT OR REPLACE INTO failure (path, stamp, hash, reason) VALUES (?, ?, ?, ?)", [
    path,
    stamp,
    hash,
    reason,
  ]);
}

/** Call it within a write. */
export function deleteFailure(sidecar: Sidecar, path: string): void {
  sidecar.run("DELETE FROM failure WHERE path = ?", [path]);
}
