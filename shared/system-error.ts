const CAUSES_MAX = 8;
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;

/** The `code` of a failed system call or of SQLite, such as `EACCES`; empty for any other error. */
export function systemErrorCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
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
