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
import { accessDenied, identityRejected, providerFailed, SigninError } from "../errors.ts";

/**
 * What an error of oauth4webapi means here: the person said no, the identity does not hold, or the provider failed. The
 * library's errors carry tokens and bodies, so only their words go on.
 */
export function toSigninError(error: unknown): SigninError {
  if (error instanceof SigninError) return error;
  const reason = reasonOf(error);
  if (error instanceof AuthorizationResponseError) {
    return error.error === "access_denied" ? accessDenied() : providerFailed(reason);
  }
  // A code that the provider does not know was made up or used before: not the provider's fault.
  if (error instanceof ResponseBodyError && error.error === "invalid_grant") {
    return identityRejected(reason);
  }
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError) {
    return providerFailed(reason);
  }
  if (error instanceof OperationProcessingError || error instanceof UnsupportedOperationError) {
    return isBadAnswer(error) ? providerFailed(reason) : identityRejected(reason);
  }
  return identityRejected(reason);
}

function isBadAnswer({ code, message }: Error & { code?: string | undefined }): boolean {
  if (code === RESPONSE_IS_NOT_CONFORM || code === RESPONSE_IS_NOT_JSON) return true;
  return code === PARSE_ERROR && message.includes('"response"');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const named = "error" in error ? String(error.error) : "";
  return [error.message, /^[a-z_]{1,40}$/.test(named) ? named : ""].filter(Boolean).join(": ");
}
