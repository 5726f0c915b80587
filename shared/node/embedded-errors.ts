import { LibsqlBatchError, LibsqlError } from "@libsql/core/api";
import { systemErrorCode } from "../system-error.ts";

// Converts errors of the `libsql` package to those of the `@libsql/client` interface.

/** Whether another process holds the lock, so that a retry can succeed. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(systemErrorCode(error));
}

/** With the primary code, as the remote client has it, and the extended one. */
export function toLibsqlError(error: unknown): LibsqlError {
  if (error instanceof LibsqlError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const extended = systemErrorCode(error);
  // SQLITE_CONSTRAINT_UNIQUE → SQLITE_CONSTRAINT, as the remote client has it.
  const code = /^SQLITE_[A-Z]+/.exec(extended)?.[0] ?? "SQLITE_ERROR";
  const cause = error instanceof Error ? error : undefined;
  return new LibsqlError(message, code, extended || undefined, undefined, cause);
}

/** With the index of the failed statement of a batch. */
export function toBatchError(error: unknown, statementIndex: number): LibsqlError {
  const { message, code, extendedCode } = toLibsqlError(error);
  const cause = error instanceof Error ? error : undefined;
  return new LibsqlBatchError(message, statementIndex, code, extendedCode, undefined, cause);
}

export function closedError(): LibsqlError {
  return new LibsqlError("The client is closed", "CLIENT_CLOSED");
}
