import { EngineError, forbidden, invalid, notFound } from "../errors.ts";
import { invalidPath } from "./relative-path.ts";

/** What the operating system calls an error, such as `ENOENT`; undefined where the error is none of its. */
export function errorNumberName(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

const GONE = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

/** Whether nothing, a link or the wrong kind of thing is at a path; `more` adds error codes of the call. */
export function isGone(error: unknown, ...more: readonly string[]): boolean {
  const code = errorNumberName(error);
  return code !== undefined && (GONE.has(code) || more.includes(code));
}

/** 403: a link stands somewhere on the path, or came there while the path was being used. */
export function crossesLink(): EngineError {
  return forbidden("The path crosses a link. Use the folder or file that the link leads to.");
}

/** 404: nothing is there, or a file where a folder would have to be. */
export function pathNotFound(): EngineError {
  return notFound("Path");
}

/** 400: a file operation on something that is no regular file. */
export function notAFile(): EngineError {
  return invalid("The path is not a regular file.");
}

/** 400: a folder operation on something that is no folder. */
export function notAFolder(): EngineError {
  return invalid("The path is not a folder.");
}

/** 403: the account that the engine runs under may not do this. */
export function inaccessible(cause?: unknown): EngineError {
  return forbidden("The path cannot be accessed. Check its permissions.", cause);
}

/**
 * Failures of the operating system as the wire knows them (Engine §4, common file failures). What is no fault of the
 * path, such as a full disk, stays as it is and becomes a 500.
 */
export function toFileError(error: unknown): unknown {
  if (error instanceof EngineError) return error;
  switch (errorNumberName(error)) {
    case "ENOENT":
    case "ENOTDIR":
      return pathNotFound();
    case "ELOOP":
      return crossesLink();
    case "EACCES":
    case "EPERM":
    case "EROFS":
    case "EBUSY":
    case "ETXTBSY":
      return inaccessible(error);
    case "ENAMETOOLONG":
      return invalidPath("path: has a name that is too long for this file system");
    case "EILSEQ":
      return invalidPath("path: has a character that this file system does not allow");
    case "EISDIR":
    case "ENXIO":
      return notAFile();
    default:
      return error;
  }
}
