import { HTTPException } from "hono/http-exception";
import type { Logger } from "../../shared/log.ts";
import { invalidRequest, SigninError, type SigninErrorCode } from "../errors.ts";

const STATUS = {
  invalid_request: 400,
  invalid_state: 400,
  state_expired: 400,
  invalid_grant: 400,
  invalid_code: 400,
  untrusted_host: 400,
  invalid_token: 401,
  session_expired: 401,
  refresh_reused: 401,
  invalid_credentials: 401,
  access_denied: 403,
  identity_rejected: 403,
  email_unverified: 403,
  forbidden_origin: 403,
  not_found: 404,
  provider_disabled: 404,
  method_not_allowed: 405,
  account_exists: 409,
  identity_in_use: 409,
  last_sign_in_method: 409,
  link_flow_cross_site: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  misconfigured: 500,
  provider_error: 502,
  provider_unavailable: 502,
  mail_unavailable: 503,
  issuer_changed: 503,
  schema_outdated: 503,
  database_unavailable: 503,
} as const satisfies Record<SigninErrorCode, number>;

/** What a failed request answers: the same facts as JSON and, for people, as a page. */
export interface Failure {
  status: number;
  headers: [string, string][];
  body: { error: string; code: string; details?: string; request_id: string };
}

/** Any error as the wire knows it. What is no SigninError is a 500 whose cause only the log gets. */
export function toFailure(error: unknown, requestId: string, log: Logger): Failure {
  const known = toSigninError(error);
  if (!known) {
    log.error({ error, request_id: requestId }, "A request failed unexpectedly.");
    const body = { error: "Internal server error.", code: "internal_error", request_id: requestId };
    return { status: 500, headers: [], body };
  }
  const { code, message, details, cause } = known;
  if (cause !== undefined) {
    log.info({ failure: code, reason: cause, request_id: requestId }, "A request was refused.");
  }
  return {
    status: STATUS[code],
    headers: headersOf(known),
    body: {
      error: message,
      code,
      ...(details === undefined ? {} : { details }),
      request_id: requestId,
    },
  };
}

export function failureResponse({ status, headers, body }: Failure): Response {
  return Response.json(body, { status, headers });
}

function headersOf({ code, retryAfterSec, allow, setCookies }: SigninError): [string, string][] {
  const headers: [string, string][] = setCookies.map((cookie) => ["Set-Cookie", cookie]);
  if (STATUS[code] === 401) headers.push(["WWW-Authenticate", 'Bearer error="invalid_token"']);
  if (retryAfterSec !== undefined) headers.push(["Retry-After", String(retryAfterSec)]);
  if (allow !== undefined) headers.push(["Allow", allow]);
  return headers;
}

function toSigninError(error: unknown): SigninError | undefined {
  if (error instanceof SigninError) return error;
  // Malformed requests that the framework refuses by itself; its sentence may hold input.
  if (error instanceof HTTPException && error.status < 500) return invalidRequest();
  return undefined;
}
