const CAUSES_MAX = 8;
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB|FORMAT)/;

// libSQL reports why a file could not be opened only in its message, by SQLite's number.
const OPEN_FAILURE = /^ConnectionFailed\(.*: (\d+)"\)$/s;
const NUMBERS: Readonly<Record<string, string>> = {
  5: "SQLITE_BUSY",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  26: "SQLITE_NOTADB",
};

/** The `code` of a failed system call or of SQLite, such as `EACCES`; empty for any other error. */
export function systemErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string" && error.code !== "") return error.code;
  return NUMBERS[OPEN_FAILURE.exec(error.message)?.[1] ?? ""] ?? "";
}

/** For `.catch()` of a look at a file: undefined if it does not exist. @throws every other error */
export function unlessMissing(error: unknown): undefined {
  if (systemErrorCode(error) !== "ENOENT") throw error;
}

/** The codes of an error and of its causes, outermost first. */
export function systemErrorCodes(error: unknown): string[] {
  const codes: string[] = [];
  let next = error;
  for (let depth = 0; next instanceof Error && depth < CAUSES_MAX; depth += 1) {
    codes.push(systemErrorCode(next));
    next = next.cause;
  }
  return codes;
}

/** Whether SQLite found a damaged database, or a file that is not a database. */
export function isDamage(error: unknown): boolean {
  return systemErrorCodes(error).some((code) => DAMAGED.test(code));
}
