// Status and message of every failure that a client may see. Clients branch on the names, which are stable.
const FAILURES = {
  /** `details` names the field and the rule. */
  invalid_request: [400, "The request is not valid."],
  /** The callback is not of a pending sign-in of this browser (Sign-in §7). */
  invalid_state: [
    400,
    "This sign-in was not started in this browser, or it has ended already. Please start again.",
  ],
  state_expired: [400, "This sign-in took too long. Please start again."],
  /** A wrong native code or a wrong verifier: the response does not say which (Sign-in §7). */
  invalid_grant: [400, "The code is not valid."],
  /** An e-mailed code. */
  invalid_code: [400, "The code is wrong or no longer valid."],
  /** The present password of a signed-in user; a 401 would be about the token. */
  invalid_password: [400, "The password is wrong."],
  /** A passkey that does not prove the account of a signed-in user. */
  invalid_passkey: [
    400,
    "This passkey does not belong to the account. Try again, or use another way.",
  ],
  /** A code of the authenticator app, or a recovery code, of a signed-in user. */
  invalid_second_factor: [400, "The code is wrong or was used already."],
  /** A registration that breaks a rule; `details` says which. */
  passkey_refused: [400, "The passkey could not be added. Please try again."],
  untrusted_host: [400, "This server does not respond under this name."],
  /** No bearer token, or none of this server. */
  invalid_token: [401, "The token is missing or not valid."],
  /** The client deletes its tokens. */
  session_expired: [401, "The session has ended. Please sign in again."],
  /** An old refresh token came back, so the session was revoked. */
  refresh_reused: [401, "The session has ended. Please sign in again."],
  /** One message for every refused password sign-in. */
  invalid_credentials: [401, "The e-mail address or the password is wrong."],
  /** The first factor is right, and the account has a second one. Only a client that proved the first learns so. */
  second_factor_required: [401, "Enter the code of your authenticator app, or a recovery code."],
  second_factor_rejected: [401, "The code is wrong or was used already."],
  /** One message for every refused passkey sign-in. */
  passkey_rejected: [401, "This passkey cannot sign in. Try again, or sign in another way."],
  /** A change that needs a fresh proof; `ways` lists those of the account. */
  reauthentication_required: [403, "Please confirm first that it is you."],
  /** An operator disabled the account. Only a client that proved it learns so. */
  account_disabled: [403, "This account is disabled. Contact the operator of this service."],
  /** `SIGNUP` admits no account with the address. Only a client that proved the address learns so. */
  signup_closed: [
    403,
    "You cannot create an account with this address. Contact the operator of this service.",
  ],
  /** An identity that was linked without fresh proof, beside a second factor. */
  identity_unconfirmed: [
    403,
    "This provider was connected without a recent confirmation. Sign in another way, and confirm it in your account.",
  ],
  access_denied: [403, "The sign-in was cancelled at the provider."],
  identity_rejected: [403, "The provider's response could not be verified."],
  /** The provider reports no verified address (Sign-in §7). */
  email_unverified: [403, "The provider reports no verified e-mail address for this identity."],
  forbidden_origin: [403, "This origin is not allowed."],
  not_found: [404, "Not found."],
  /** The provider does not exist, or is not configured. */
  provider_disabled: [404, "This provider is not available."],
  method_not_allowed: [405, "This method cannot be used here."],
  /** Another account has the address of a new identity: no identity is linked silently. */
  account_exists: [
    409,
    "An account with this e-mail address exists. Sign in the way you did before, then connect this provider.",
  ],
  email_in_use: [409, "This e-mail address belongs to another account."],
  identity_in_use: [
    409,
    "This identity cannot be connected: it belongs to another account, or this account already has one from this provider.",
  ],
  passkey_in_use: [409, "This passkey already belongs to an account."],
  second_factor_exists: [409, "The second factor is already on. Switch it off first."],
  too_many_passkeys: [409, "An account has at most 20 passkeys. Remove one first."],
  /** Sign-in §3, disconnect rule. */
  last_sign_in_method: [
    409,
    "This is the only way to sign in to the account. Add another one first.",
  ],
  /** Browsers would not send the binding cookie back. */
  link_flow_cross_site: [
    409,
    "Linking needs the user interface and the sign-in server on one site.",
  ],
  payload_too_large: [413, "The body is larger than 16 KiB."],
  /** Bodies are JSON; a form of another site cannot be. */
  unsupported_media_type: [415, "The body must be application/json."],
  rate_limited: [429, "Too many requests. Please wait a little."],
  /** The provider's response breaks a rule. */
  provider_error: [502, "The provider sent an invalid response."],
  /** The provider did not respond. */
  provider_unavailable: [502, "The provider cannot be reached. Please try again later."],
  /** This server has no mail transport. */
  mail_unavailable: [503, "This server cannot send mail now."],
  /** The provider's issuer has changed, and the configuration does not accept it. */
  issuer_changed: [
    503,
    "Sign-in with this provider is disabled until the operator completes its configuration.",
  ],
  /** `PASSKEY_RP_ID` is a public suffix. */
  passkeys_unavailable: [
    503,
    "Passkeys are disabled until the operator completes their configuration.",
  ],
  /** `TOKEN_ENCRYPTION_KEY` lacks the key of the account's secret. */
  second_factor_unavailable: [
    503,
    "Codes of authenticator apps cannot be checked now. Use a recovery code, or ask the operator of this service.",
  ],
  schema_outdated: [503, "The server is being updated. Please try again soon."],
  database_unavailable: [503, "The database cannot be reached now."],
} as const;

/** How a signed-in user can prove the account afresh. */
export type ProofWay = "password" | "code" | "passkey" | "second_factor";

/** The names of failures on the wire. */
type SigninErrorCode = keyof typeof FAILURES;

interface FailureOptions {
  /** Replaces the message of the table. */
  message?: string | undefined;
  details?: string | undefined;
  /** Seconds, for `Retry-After`. */
  retryAfterSec?: number | undefined;
  /** For `Allow`. */
  allow?: string | undefined;
  /** Cookies of the response. */
  setCookies?: readonly string[];
  /** Of `reauthentication_required`. */
  ways?: readonly ProofWay[] | undefined;
  cause?: unknown;
}

/** A failure that a client may see: `message` and `details` are public, `cause` is for the log alone. */
export class SigninError extends Error {
  override name = "SigninError";
  readonly code: SigninErrorCode;
  readonly status: number;
  readonly details: string | undefined;
  readonly retryAfterSec: number | undefined;
  readonly allow: string | undefined;
  readonly setCookies: readonly string[];
  readonly ways: readonly ProofWay[] | undefined;

  constructor(code: SigninErrorCode, options: FailureOptions = {}) {
    const [status, message] = FAILURES[code];
    super(options.message ?? message, { cause: options.cause });
    this.code = code;
    this.status = status;
    this.details = options.details;
    this.retryAfterSec = options.retryAfterSec;
    this.allow = options.allow;
    this.setCookies = options.setCookies ?? [];
    this.ways = options.ways;
  }

  /** The same failure with cookies. */
  withCookies(setCookies: readonly string[]): SigninError {
    return new SigninError(this.code, {
      ...this,
      message: this.message,
      cause: this.cause,
      setCookies,
    });
  }
}

/** The failure of this name with the message of the table. `cause` is for the log. */
export function failure(code: SigninErrorCode, cause?: unknown): SigninError {
  return new SigninError(code, { cause });
}

/** `details` names the field and the rule. */
export function invalidRequest(details?: string): SigninError {
  return new SigninError("invalid_request", { details });
}

/** A new password that breaks `rule`, such as `must …`. */
export function passwordRefused(rule: string, field = "password"): SigninError {
  const message = `The password ${rule}.`;
  return new SigninError("invalid_request", { message, details: `${field}: ${rule}` });
}

/** For unknown paths, and for resources of the user: `Session not found.` */
export function notFound(resource?: string): SigninError {
  return new SigninError("not_found", { message: resource && `${resource} not found.` });
}

/** The message lists the available providers. */
export function providerDisabled(available: readonly string[]): SigninError {
  const others =
    available.length > 0 ? ` Available: ${available.join(", ")}.` : " None is configured.";
  return new SigninError("provider_disabled", {
    message: FAILURES.provider_disabled[1] + others,
  });
}

/** With `Allow`. */
export function methodNotAllowed(methods: readonly string[]): SigninError {
  const allow = methods.join(", ");
  return new SigninError("method_not_allowed", {
    message: `Only ${allow} can be used here.`,
    allow,
  });
}

/** With `Retry-After`. */
export function rateLimited(retryAfterSec: number): SigninError {
  return new SigninError("rate_limited", { retryAfterSec: Math.max(1, Math.ceil(retryAfterSec)) });
}
