import { BadConfiguration } from "../env.ts";
import { MigrationRefused } from "../migrate.ts";

/** A start that cannot be. Its message is one sentence for the person who started it. */
export class StartRefused extends Error {
  override name = "StartRefused";
}

/** The `code` of a failed system call, such as `EACCES`, or the empty string. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

const CAUSES_MAX = 8;
const DISK_FULL = /^(ENOSPC|EDQUOT|SQLITE_FULL)/;
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;

/** The codes of an error and of its causes. */
export function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  let next = error;
  for (let depth = 0; next instanceof Error && depth < CAUSES_MAX; depth += 1) {
    codes.push(codeOf(next));
    next = next.cause;
  }
  return codes;
}

/** Whether SQLite found a database damaged, or no database at all. */
export function isDamage(error: unknown): boolean {
  return codesOf(error).some((code) => DAMAGED.test(code));
}

type ErrorClass = abstract new (...args: never[]) => Error;

/**
 * Any failure of a start as a sentence for the person who started it. A fault of the program itself, which has no code
 * and no known class, keeps its stack. `own` are the classes of the program whose messages are such sentences.
 */
export function sentenceOfFailure(error: unknown, ...own: ErrorClass[]): string {
  const codes = codesOf(error);
  if (codes.some((code) => DISK_FULL.test(code))) {
    return "The disk of the data directory is full. Make room on it, then start again.";
  }
  const known = [BadConfiguration, StartRefused, MigrationRefused, ...own];
  if (!(error instanceof Error)) return String(error);
  if (known.some((type) => error instanceof type)) return error.message;
  const code = codes.find((code) => code !== "");
  if (code === undefined) return error.stack ?? error.message;
  return `The start failed: ${firstLine(error.message)} (${code}).`;
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").replace(/\.$/, "");
}
