import {
  AuthorizationResponseError,
  OperationProcessingError,
  PARSE_ERROR,
  RESPONSE_IS_NOT_CONFORM,
  RESPONSE_IS_NOT_JSON,
  ResponseBodyError,
  UnsupportedOperationError,
  WWWAuthenticateChallengeError,
} from "oauth4webapi";
import { failure, SigninError } from "../errors.ts";
import { PROVIDER_WORDS_CHARACTERS_MAX } from "../limits.ts";

/**
 * Maps an error of oauth4webapi: the user refused, the identity is not valid, or the provider failed. The library's errors
 * hold tokens and bodies, so only their messages are kept, without the `secrets` that were sent.
 */
export function toSigninError(error: unknown, secrets: readonly string[]): SigninError {
  if (error instanceof SigninError) return error;
  const reason = reasonOf(error, secrets);
  if (error instanceof AuthorizationResponseError) {
    return CANCELLED.includes(error.error)
      ? failure("access_denied", reason)
      : failure("provider_error", reason);
  }
  // The code is invented or was used before: no failure of the provider.
  if (error instanceof ResponseBodyError && error.error === "invalid_grant") {
    return failure("identity_rejected", reason);
  }
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError) {
    return failure("provider_error", reason);
  }
  if (error instanceof OperationProcessingError || error instanceof UnsupportedOperationError) {
    return isBadAnswer(error)
      ? failure("provider_error", reason)
      : failure("identity_rejected", reason);
  }
  return failure("identity_rejected", reason);
}

// Apple has a name of its own.
const CANCELLED = ["access_denied", "user_cancelled_authorize"];

/**
 * The provider's `error` and `error_description`, for the log: one line of at most 200 characters each, without the secrets
 * of the request, which a provider may repeat.
 */
export function refusalWords(
  { error, error_description: description }: { error?: unknown; error_description?: unknown },
  secrets: readonly string[],
): string {
  return [error, description].flatMap((words) => toLine(words, secrets) || []).join(": ");
}

const REMOVED = "[removed]";

function toLine(words: unknown, secrets: readonly string[]): string {
  if (typeof words !== "string") return "";
  let line = words;
  for (const secret of secrets) if (secret !== "") line = line.replaceAll(secret, REMOVED);
  line = line.replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return line.slice(0, PROVIDER_WORDS_CHARACTERS_MAX).toWellFormed();
}

function isBadAnswer({ code, message }: Error & { code?: string | undefined }): boolean {
  if (code === RESPONSE_IS_NOT_CONFORM || code === RESPONSE_IS_NOT_JSON) return true;
  return code === PARSE_ERROR && message.includes('"response"');
}

function reasonOf(error: unknown, secrets: readonly string[]): string {
  if (!(error instanceof Error)) return "unknown";
  return [error.message, refusalWords(answerOf(error), secrets)].filter(Boolean).join(": ");
}

function answerOf(error: Error): { error?: unknown; error_description?: unknown } {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return error;
  }
  if (error instanceof WWWAuthenticateChallengeError) return error.cause[0]?.parameters ?? {};
  return {};
}
