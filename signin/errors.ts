/** What can go wrong, as the wire knows it: stable names that clients may branch on. */
export type SigninErrorCode =
  | "invalid_request"
  | "invalid_state"
  | "state_expired"
  | "invalid_grant"
  | "invalid_code"
  | "invalid_token"
  | "session_expired"
  | "refresh_reused"
  | "invalid_credentials"
  | "access_denied"
  | "identity_rejected"
  | "email_unverified"
  | "forbidden_origin"
  | "not_found"
  | "provider_disabled"
  | "method_not_allowed"
  | "account_exists"
  | "identity_in_use"
  | "last_sign_in_method"
  | "link_flow_cross_site"
  | "payload_too_large"
  | "unsupported_media_type"
  | "untrusted_host"
  | "rate_limited"
  | "provider_error"
  | "provider_unavailable"
  | "mail_unavailable"
  | "issuer_changed"
  | "schema_outdated"
  | "database_unavailable"
  | "misconfigured";

interface ErrorOptions {
  details?: string;
  /** Seconds, for `Retry-After`. */
  retryAfterSec?: number;
  /** For `Allow`. */
  allow?: string;
  cause?: unknown;
}

/** A failure that a client may read: `message` and `details` are public, `cause` goes to the log alone. */
export class SigninError extends Error {
  override name = "SigninError";
  readonly code: SigninErrorCode;
  readonly details: string | undefined;
  readonly retryAfterSec: number | undefined;
  readonly allow: string | undefined;
  /** Cookies that the refusal takes away from the browser. */
  setCookies: readonly string[] = [];

  constructor(code: SigninErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterSec = options.retryAfterSec;
    this.allow = options.allow;
  }
}

/** 400. `details` names the field and the rule. */
export function invalidRequest(details?: string): SigninError {
  return new SigninError("invalid_request", "The request is not valid.", { details });
}

/** 400: a new password that breaks a rule, `must …`; the sentence says which, for the person who chose it. */
export function passwordRefused(rule: string): SigninError {
  return new SigninError("invalid_request", `The password ${rule}.`, {
    details: `password: ${rule}`,
  });
}

/** 400: the callback is not of a sign-in that this browser began and has not finished (Sign-in §7). */
export function invalidState(cause?: string): SigninError {
  return new SigninError(
    "invalid_state",
    "This sign-in was not begun here, or was finished already. Please start again.",
    { cause },
  );
}

/** 400: the ten minutes are over. */
export function stateExpired(): SigninError {
  return new SigninError("state_expired", "This sign-in took too long. Please start again.");
}

/** 400: a native code or its verifier was refused; never says which (Sign-in §7). */
export function invalidGrant(cause?: string): SigninError {
  return new SigninError("invalid_grant", "The code is not valid.", { cause });
}

/** 400: an e-mailed code was refused. */
export function invalidCode(): SigninError {
  return new SigninError("invalid_code", "The code is wrong or no longer valid.");
}

/** 401: no bearer token, or none of ours. */
export function invalidToken(): SigninError {
  return new SigninError("invalid_token", "The token is missing or not valid.");
}

/** 401: the session has ended; the client forgets its tokens. */
export function sessionExpired(): SigninError {
  return new SigninError("session_expired", "The session has ended. Please sign in again.");
}

/** 401: an old refresh token came back, so the session was revoked. */
export function refreshReused(): SigninError {
  return new SigninError("refresh_reused", "The session has ended. Please sign in again.");
}

/** 401: one sentence for every refused password sign-in. */
export function invalidCredentials(): SigninError {
  return new SigninError("invalid_credentials", "The e-mail address or the password is wrong.");
}

/** 403: the person said no at the provider. */
export function accessDenied(cause?: unknown): SigninError {
  return new SigninError("access_denied", "The sign-in was cancelled at the provider.", { cause });
}

/** 403: what the provider said about the person does not hold. */
export function identityRejected(cause: unknown): SigninError {
  return new SigninError(
    "identity_rejected",
    "The provider's answer about you could not be verified.",
    { cause },
  );
}

/** 403: no e-mail address that the provider reports as verified (Sign-in §7). */
export function emailUnverified(): SigninError {
  return new SigninError(
    "email_unverified",
    "The provider reports no verified e-mail address for this identity.",
  );
}

/** 403. */
export function forbiddenOrigin(): SigninError {
  return new SigninError("forbidden_origin", "This origin is not allowed.");
}

/** 404 for paths and for things of the user: `Session not found.` */
export function notFound(resource?: string): SigninError {
  return new SigninError("not_found", resource ? `${resource} not found.` : "Not found.");
}

/** 404: a provider that does not exist, or is not configured; the sentence lists those that are. */
export function providerDisabled(available: readonly string[]): SigninError {
  const others = available.length > 0 ? ` Available: ${available.join(", ")}.` : "";
  return new SigninError("provider_disabled", `This provider is not available.${others}`);
}

/** 405 with `Allow`. */
export function methodNotAllowed(methods: readonly string[]): SigninError {
  const allow = methods.join(", ");
  return new SigninError("method_not_allowed", `Only ${allow} can be used here.`, { allow });
}

/** 409: the e-mail address of a new identity belongs to an account; nothing is linked silently. */
export function accountExists(): SigninError {
  return new SigninError(
    "account_exists",
    "An account with this e-mail address exists. Sign in the way you did before, then connect this provider.",
  );
}

/** 409: another account has this identity, or this account another identity of the provider. */
export function identityInUse(): SigninError {
  return new SigninError(
    "identity_in_use",
    "This identity cannot be connected: it belongs to another account, or this account has another one of this provider.",
  );
}

/** 409 (Sign-in §3, disconnect rule). */
export function lastSignInMethod(): SigninError {
  return new SigninError(
    "last_sign_in_method",
    "This is the only way to sign in to the account. Add another one first.",
  );
}

/** 409: browsers would not send the binding cookie back. */
export function linkFlowCrossSite(): SigninError {
  return new SigninError(
    "link_flow_cross_site",
    "Linking needs the user interface and the sign-in server on one site.",
  );
}

/** 413. */
export function payloadTooLarge(): SigninError {
  return new SigninError("payload_too_large", "The body is larger than 16 KiB.");
}

/** 415: bodies are JSON and say so; a form of a foreign page cannot. */
export function unsupportedMediaType(): SigninError {
  return new SigninError("unsupported_media_type", "The body must be application/json.");
}

/** 400: `Host` is not of this server. */
export function untrustedHost(): SigninError {
  return new SigninError("untrusted_host", "This host name is not served here.");
}

/** 429 with `Retry-After`. */
export function rateLimited(retryAfterSec: number): SigninError {
  return new SigninError("rate_limited", "Too many requests. Please wait a little.", {
    retryAfterSec: Math.max(1, Math.ceil(retryAfterSec)),
  });
}

/** 502: the provider answered, and not as it should. */
export function providerFailed(cause: unknown): SigninError {
  return new SigninError("provider_error", "The provider gave an answer that cannot be used.", {
    cause,
  });
}

/** 502: the provider did not answer. */
export function providerUnavailable(cause: unknown): SigninError {
  return new SigninError("provider_unavailable", "The provider cannot be reached now.", { cause });
}

/** 503: this server has no way to send mail. */
export function mailUnavailable(): SigninError {
  return new SigninError("mail_unavailable", "This server sends no mail now.");
}

/** 503: the provider's issuer has changed, and the operator has not decided what that means. */
export function issuerChanged(): SigninError {
  return new SigninError(
    "issuer_changed",
    "Sign-in with this provider is switched off until its configuration is completed.",
  );
}

/** 503: the operator has not brought the database up to date yet. */
export function schemaOutdated(cause?: unknown): SigninError {
  return new SigninError("schema_outdated", "The server is being updated. Please try again soon.", {
    cause,
  });
}

/** 503: the database does not answer. */
export function databaseUnavailable(cause: unknown): SigninError {
  return new SigninError("database_unavailable", "The database cannot be reached now.", { cause });
}
