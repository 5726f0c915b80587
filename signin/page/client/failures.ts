import { SigninError } from "../../client/errors.ts";
import { duration, say, texts } from "./words.ts";

// What browsers refuse of passkeys, by the name of the exception.
const BROWSER: Readonly<Record<string, string>> = {
  InvalidStateError: texts.passkeyHere,
  NotAllowedError: texts.passkeyNone,
  AbortError: texts.passkeyNone,
  SecurityError: texts.passkeyElsewhere,
};

/** What went wrong, in the reader's language. The server's own message is in English. */
export function toSentence(error: unknown): string {
  if (error instanceof DOMException) return BROWSER[error.name] ?? texts.somethingWrong;
  if (!(error instanceof SigninError)) return texts.somethingWrong;
  const { status, code = "", message, retryAfterSec } = error;
  if (retryAfterSec !== undefined) return say(texts.waitFor, { time: duration(retryAfterSec) });
  // After too many wrong codes of the app.
  const isLocked = code.includes("second_factor") && error.details !== undefined;
  if (isLocked) return texts.onlyRecovery;
  if (status === 0) return texts.failures.unreachable;
  const known: Readonly<Record<string, string>> = texts.failures;
  return known[code] ?? message;
}

// Failures that are about one field.
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  invalid_credentials: ["password", "current_password"],
  invalid_password: ["password", "current_password"],
  invalid_code: ["code"],
  second_factor_rejected: ["second_factor"],
  invalid_second_factor: ["second_factor", "code"],
};

/** The names that the field may have which a failure is about. */
export function fieldsOf(error: unknown): readonly string[] {
  if (!(error instanceof SigninError)) return [];
  const field = /^[a-z_]+(?=: )/.exec(error.details ?? "")?.[0];
  return field === undefined ? (FIELDS[error.code ?? ""] ?? []) : [field, `new_${field}`];
}
