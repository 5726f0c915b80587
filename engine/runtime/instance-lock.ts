import { lstat } from "node:fs/promises";
import { StartRefused } from "../../shared/failure.ts";
import { acquireProcessLock } from "../../shared/node/process-lock.ts";
import type { DataDirectory } from "./data-directory.ts";
import { readRuntimeFile } from "./runtime-file.ts";

/** Locks the data directory for one engine. @throws StartRefused with the address of the running one. */
export async function holdInstance(directory: DataDirectory): Promise<Disposable> {
  const lock = acquireProcessLock(directory.lock);
  if (lock) return lock;
  const other = await readRuntimeFile(directory.runtimeFile);
  const where = other
    ? `at http://${other.host}:${other.port} (process ${other.pid})`
    : await describeUnreadable(directory.runtimeFile);
  throw new StartRefused(`Another engine is already running on ${directory.path}, ${where}.`);
}

async function describeUnreadable(runtimeFile: string): Promise<string> {
  const isThere = await lstat(runtimeFile).then(
    () => true,
    () => false,
  );
  return isThere ? "and its runtime.json is damaged" : "and is still starting";
}
