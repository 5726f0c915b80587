import Connection from "libsql";
import type { DataDirectory } from "./data-directory.ts";
import { readRuntimeFile } from "./runtime-file.ts";
import { StartRefused } from "./start-refused.ts";

/** The right to be the only engine of a data directory. Disposing gives it up; so does the end of the process. */
export interface InstanceLock extends Disposable {
  path: string;
}

/** Makes this the only engine of its data directory. @throws StartRefused which tells where the other one runs. */
export async function holdInstance(directory: DataDirectory): Promise<InstanceLock> {
  const lock = acquireInstanceLock(directory.lock);
  if (lock) return lock;
  const other = await readRuntimeFile(directory.runtimeFile);
  const where = other
    ? `at http://${other.host}:${other.port} (process ${other.pid})`
    : "and is still starting";
  throw new StartRefused(`Another engine runs on ${directory.path} already, ${where}.`);
}

/**
 * Holds a write transaction on `path`, which the system ends with the process, after `kill -9` too. Nothing else in this
 * process may open that file: closing any descriptor of it would give up the lock (POSIX).
 * @returns undefined where another process holds it.
 * @throws StartRefused where the file cannot be used.
 */
export function acquireInstanceLock(path: string): InstanceLock | undefined {
  let connection: Connection.Database | undefined;
  try {
    connection = new Connection(path);
    connection.exec("BEGIN IMMEDIATE");
  } catch (error) {
    connection?.close();
    if (error instanceof Error && /SQLITE_BUSY|locked/.test(`${codeText(error)} ${error.message}`))
      return undefined;
    throw new StartRefused(`The lock file ${path} cannot be used.`, { cause: error });
  }
  const held = connection;
  return { path, [Symbol.dispose]: () => held.close() };
}

function codeText(error: Error): string {
  return "code" in error ? String(error.code) : "";
}
