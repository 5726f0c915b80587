import { readFile, stat } from "node:fs/promises";
import { acquireProcessLock } from "../../shared/node/process-lock.ts";
import { systemErrorCode } from "../../shared/system-error.ts";

/** A process that holds the lock of a file; its id where the system says it. */
interface LockHolder {
  pid: number | undefined;
}

// `1: POSIX  ADVISORY  WRITE 4711 fd:01:131090 1073741825 1073741825`
const POSIX_LOCK = /^\d+: POSIX +ADVISORY +WRITE +(\d+) [0-9a-f]+:[0-9a-f]+:(\d+) /gm;

/**
 * Looks who holds the lock of `acquireProcessLock`. On Linux the system's table says it, and nothing is touched. Elsewhere the lock
 * is taken for a moment, which also removes what a killed holder left beside the file.
 * @throws StartRefused where the file cannot be used
 */
export async function findLockHolder(path: string): Promise<LockHolder | undefined> {
  const inode = await inodeOf(path);
  if (inode === undefined) return undefined;
  const table = await readFile("/proc/locks", "utf8").catch(() => undefined);
  if (table !== undefined) {
    const found = [...table.matchAll(POSIX_LOCK)].find(([, , locked]) => locked === inode);
    return found && { pid: Number(found[1]) || undefined };
  }
  using lock = acquireProcessLock(path);
  return lock ? undefined : { pid: undefined };
}

async function inodeOf(path: string): Promise<string | undefined> {
  try {
    return String((await stat(path)).ino);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
