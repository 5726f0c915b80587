import Connection from "libsql";
import { StartRefused } from "../failure.ts";
import { isDamage, systemErrorCode } from "../system-error.ts";

/**
 * Takes the right of one process to a directory: a write transaction on the file `path`. Disposing releases it, and so does the
 * end of the process, `kill -9` included. Nothing else in this process may open that file: closing any descriptor of it would
 * release the lock (POSIX). Undefined if another process holds it.
 * @throws StartRefused if the file cannot be used
 */
export function acquireProcessLock(path: string): Disposable | undefined {
  let connection: Connection.Database | undefined;
  try {
    connection = new Connection(path);
    connection.exec("BEGIN IMMEDIATE");
  } catch (error) {
    connection?.close();
    if (isHeldElsewhere(error)) return undefined;
    throw toRefusal(path, error);
  }
  const held = connection;
  return { [Symbol.dispose]: () => held.close() };
}

function toRefusal(path: string, cause: unknown): StartRefused {
  const file = `The lock file ${path}`;
  return new StartRefused(
    isDamage(cause)
      ? `${file} is damaged. It may be deleted: it holds nothing.`
      : `${file} cannot be used (${systemErrorCode(cause)}).`,
    { cause },
  );
}

function isHeldElsewhere(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /SQLITE_BUSY|locked/.test(`${systemErrorCode(error)} ${error.message}`);
}
