import { isDamage, systemErrorCode } from "../../shared/system-error.ts";

/** Why an index cannot be used. */
export type FailureCode = "invalid" | "conflict" | "unavailable" | "internal";

/** A failure of retrieval that a client may read. It crosses from the worker to the engine as plain data. */
export class RetrievalFailure extends Error {
  override name = "RetrievalFailure";
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/**
 * The server of an index gives vectors of another length, so another model answers under the same name. The index stays: it
 * serves again when the server does.
 */
export function otherVectors(lengths: { indexed: number; given: number }): RetrievalFailure {
  return new RetrievalFailure(
    "unavailable",
    `The embedding server gives vectors of ${lengths.given} numbers, those of the index have ${lengths.indexed}. If its ` +
      "model was changed, set ENGINE_EMBEDDINGS_MODEL to another name, or delete the index, and index again.",
  );
}

/** The index of a folder that comes from elsewhere is not opened. */
export function notOwn(): SidecarDamaged {
  return new SidecarDamaged(
    "This engine did not make this index, or something changed it; the next run makes a new one.",
  );
}

/** The file is not an index, or is damaged. */
export class SidecarDamaged extends Error {
  override name = "SidecarDamaged";
}

/** Failures of the file system and of SQLite, by their codes. */
const FAULTS: readonly { codes: RegExp; code: FailureCode; message: string }[] = [
  {
    codes: /^(SQLITE_FULL|SQLITE_IOERR|ENOSPC|EDQUOT|EFBIG)/,
    code: "unavailable",
    message: "The index could not be written: no space is left, or the disk failed.",
  },
  {
    codes: /^(SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|EROFS|EACCES|EPERM)/,
    code: "invalid",
    message: "The root cannot hold an index: its folder cannot be written to.",
  },
  {
    codes: /^SQLITE_(BUSY|LOCKED)/,
    code: "unavailable",
    message: "Another program holds the index of this root.",
  },
];

/** Translates a failure of the file system or of SQLite. */
export function toRetrievalError(error: unknown): unknown {
  if (error instanceof RetrievalFailure || error instanceof SidecarDamaged) return error;
  if (isDamage(error)) return new SidecarDamaged("The index is damaged.", { cause: error });
  const fault = FAULTS.find(({ codes }) => codes.test(systemErrorCode(error)));
  return fault ? new RetrievalFailure(fault.code, fault.message, error) : error;
}
