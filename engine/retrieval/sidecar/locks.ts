import { lstatSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Database from "libsql";
import { systemErrorCode } from "../../../shared/system-error.ts";
import { hasSidecarFile, makeSidecarFile } from "./folder.ts";
import { hasStrayBeside, putAside } from "./own-indexes.ts";

const LOCK_FILE = "lock.db";
const POLL_MS = 200;

/**
 * Stops other engines from indexing the same root, by a write transaction on an empty lock file for the whole run. The system
 * ends it with the process. Waits while another run holds it. What is no such file is put aside before SQLite reads it.
 */
export async function holdRunLock(
  folder: string,
  { signal, nowMs }: { signal: AbortSignal; nowMs: number },
): Promise<Disposable> {
  const path = join(folder, LOCK_FILE);
  const isEmpty = !hasSidecarFile(path) || lstatSync(path).size === 0;
  if (!isEmpty || hasStrayBeside(path, true)) putAside(path, nowMs);
  makeSidecarFile(path);
  const db = new Database(path);
  try {
    for (;;) {
      try {
        db.exec("BEGIN EXCLUSIVE");
        return { [Symbol.dispose]: () => db.close() };
      } catch (error) {
        if (!systemErrorCode(error).startsWith("SQLITE_BUSY")) throw error;
      }
      await delay(POLL_MS, undefined, { signal });
    }
  } catch (error) {
    db.close();
    throw error;
  }
}
