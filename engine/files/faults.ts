import { systemErrorCode } from "../../shared/system-error.ts";
import { EngineError, forbidden, invalid, notFound } from "../errors.ts";
import { invalidPath } from "./relative-path.ts";

const GONE = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

/** Whether a path is missing, a link or of the wrong type; `more` adds error codes of the call. */
export function isGone(error: unknown, ...more: readonly string[]): boolean {
  const code = systemErrorCode(error);
  return GONE.has(code) || more.includes(code);
}

/** 403: the path has a link, or got one during the operation. */
export function crossesLink(): EngineError {
  return forbidden("The path crosses a link. Use the folder or file that the link leads to.");
}

/** 404: the path does not exist, or has a file in the place of a folder. */
export function pathNotFound(): EngineError {
  return notFound("Path");
}

/** 400: a file operation on anything but a regular file. */
export function notAFile(): EngineError {
  return invalid("The path is not a regular file.");
}

/** 400: a folder operation on anything but a folder. */
export function notAFolder(): EngineError {
  return invalid("The path is not a folder.");
}

/**
 * Translates failures of the operating system (Engine §4, common file failures). One that the path did not cause, such as a
 * full disk, is returned as it is and becomes a 500.
 */
export function toFileError(error: unknown): unknown {
  if (error instanceof EngineError) return error;
  switch (systemErrorCode(error)) {
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
      return forbidden("The path cannot be accessed. Check its permissions.", error);
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
