import { HTTPException } from "hono/http-exception";
import type { Logger } from "../../shared/log.ts";
import { invalidRequest, SigninError } from "../errors.ts";

/** The response to a failed request, for JSON and for the error page. */
export interface Failure {
  status: number;
  headers: [string, string][];
  body: {
    error: string;
    code: string;
    details?: string;
    ways?: readonly string[];
    request_id: string;
  };
}

/** The response to any error. One that is not a SigninError is a 500, and its cause is logged only. */
export function toFailure(error: unknown, requestId: string, log: Logger): Failure {
  const known = toSigninError(error);
  if (!known) {
    log.error({ error, request_id: requestId }, "A request failed unexpectedly.");
    const body = { error: "Internal server error.", code: "internal_error", request_id: requestId };
    return { status: 500, headers: [], body };
  }
  const { code, status, message, details, ways, cause } = known;
  if (cause !== undefined) {
    log.info({ failure: code, reason: cause, request_id: requestId }, "A request was refused.");
  }
  return {
    status,
    headers: headersOf(known),
    body: {
      error: message,
      code,
      ...(details === undefined ? {} : { details }),
      ...(ways === undefined ? {} : { ways }),
      request_id: requestId,
    },
  };
}

export function failureResponse({ status, headers, body }: Failure): Response {
  return Response.json(body, { status, headers });
}

function headersOf({ status, retryAfterSec, allow, setCookies }: SigninError): [string, string][] {
  const headers: [string, string][] = setCookies.map((cookie) => ["Set-Cookie", cookie]);
  if (status === 401) headers.push(["WWW-Authenticate", 'Bearer error="invalid_token"']);
  if (retryAfterSec !== undefined) headers.push(["Retry-After", String(retryAfterSec)]);
  if (allow !== undefined) headers.push(["Allow", allow]);
  return headers;
}

function toSigninError(error: unknown): SigninError | undefined {
  if (error instanceof SigninError) return error;
  // A malformed request that the framework refused. Its message may contain input.
  if (error instanceof HTTPException && error.status < 500) return invalidRequest();
  return undefined;
}
