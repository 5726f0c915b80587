import { systemErrorCodes } from "./system-error.ts";

/** A failure whose message is a sentence for the user or operator. */
export class UserFacingError extends Error {
  override name = "UserFacingError";
}

/** The program cannot start. */
export class StartRefused extends UserFacingError {
  override name = "StartRefused";
}

const DISK_FULL = /^(ENOSPC|EDQUOT|SQLITE_FULL)/;

/**
 * Describes any failure of a start in one sentence. A fault of the program itself, which has no code and is not a
 * `UserFacingError`, keeps its stack.
 */
export function describeForUser(error: unknown): string {
  const codes = systemErrorCodes(error);
  if (codes.some((code) => DISK_FULL.test(code))) {
    return "The disk of the data directory is full. Make room on it, then start again.";
  }
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UserFacingError) return error.message;
  const code = codes.find((code) => code !== "");
  if (code === undefined) return error.stack ?? error.message;
  return `The start failed: ${firstLine(error.message)} (${code}).`;
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").replace(/\.$/, "");
}
