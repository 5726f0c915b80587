import { HTTPException } from "hono/http-exception";
import type { Logger } from "../../shared/log.ts";
import { isDamage } from "../../shared/node/start-failure.ts";
import { EngineError, type ErrorCode } from "../errors.ts";
import type { ProblemDetails } from "./wire.ts";

const STATUS = {
  unauthorized: 401,
  invalid: 400,
  forbidden: 403,
  not_found: 404,
  absent: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  credential_store: 503,
  embedding: 503,
  cloud: 502,
} as const satisfies Record<ErrorCode, number>;

/** Codes → status and bytes (Engine §7). What is no EngineError is a 500 whose cause only the log gets. */
export function toResponse(error: unknown, log: Logger): Response {
  if (error instanceof EngineError) {
    // What is no fault of the request is the operator's to know, and the public sentence does not tell all of it.
    if (STATUS[error.code] >= 500) log.warn({ error }, "A request could not be served.");
    return engineErrorResponse(error);
  }
  if (error instanceof HTTPException && error.status < 500) {
    return Response.json({ error: error.message || "The request is not valid." }, { status: 400 });
  }
  // The database has logged its damage once; every further request would repeat it.
  if (!isDamage(error)) log.error({ error }, "A request failed unexpectedly.");
  return Response.json({ error: "Internal server error." }, { status: 500 });
}

function engineErrorResponse(error: EngineError): Response {
  const status = error.code === "cloud" ? (error.status ?? STATUS.cloud) : STATUS[error.code];
  if (error.code === "absent") return new Response(null, { status });
  if (error.code === "credential_store") return problem(error.message);
  const { message, details, allow } = error;
  const body = { error: message, ...(details === undefined ? {} : { details }) };
  const headers = {
    ...(allow === undefined ? {} : { Allow: allow }),
    ...(error.code === "unauthorized" ? { "WWW-Authenticate": "Bearer" } : {}),
  };
  return Response.json(body, { status, headers });
}

function problem(detail: string): Response {
  const body: ProblemDetails = {
    type: "about:blank",
    title: "Encrypted credential storage is unavailable.",
    status: 503,
    detail,
  };
  const headers = { "Content-Type": "application/problem+json" };
  return new Response(JSON.stringify(body), { status: 503, headers });
}
