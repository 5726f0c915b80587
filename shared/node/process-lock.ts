import Connection from "libsql";
import { codeOf, isDamage, StartRefused } from "./start-failure.ts";

/** The right of one process to a directory. Disposing gives it up; so does the end of the process, `kill -9` included. */
export interface ProcessLock extends Disposable {
  path: string;
}

/**
 * Holds a write transaction on the file `path`. Nothing else in this process may open that file: closing any descriptor of
 * it would give up the lock (POSIX). Undefined where another process holds it.
 * @throws where the file cannot be used.
 */
export function acquireProcessLock(path: string): ProcessLock | undefined {
  let connection: Connection.Database | undefined;
  try {
    connection = new Connection(path);
    connection.exec("BEGIN IMMEDIATE");
  } catch (error) {
    connection?.close();
    if (isHeldElsewhere(error)) return undefined;
    throw error;
  }
  const held = connection;
  return { path, [Symbol.dispose]: () => held.close() };
}

/** What to tell where `acquireProcessLock` failed. */
export function lockFailure(path: string, cause: unknown): StartRefused {
  const what = `The lock file ${path}`;
  return new StartRefused(
    isDamage(cause)
      ? `${what} is damaged. It may be deleted: it holds nothing.`
      : `${what} cannot be used (${codeOf(cause)}).`,
    { cause },
  );
}

function isHeldElsewhere(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return /SQLITE_BUSY|locked/.test(`${code} ${error.message}`);
}
