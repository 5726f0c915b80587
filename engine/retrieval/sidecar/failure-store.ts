import type { Sidecar } from "./sidecar.ts";

/** A file that could not be read, with its stamp. It is retried once it has changed. */
export interface FailureRow {
  path: string;
  /** Null where its times were too recent (see `stampOf`). */
  stamp: string | null;
  /** Null where reading the file did not end. */
  hash: Uint8Array | null;
  /** A sentence for the log and the user. */
  reason: string;
}

type FailureValues = [string, string | null, Uint8Array | null, string];

export function listFailures(sidecar: Sidecar): FailureRow[] {
  return sidecar
    .all<FailureValues>("SELECT path, stamp, hash, reason FROM failure")
    .map(([path, stamp, hash, reason]) => ({ path, stamp, hash, reason }));
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
