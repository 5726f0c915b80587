import { HTTPException } from "hono/http-exception";
import type { Logger } from "../../shared/log.ts";
import { isDamage } from "../../shared/system-error.ts";
import { EngineError, ERRORS } from "../errors.ts";
import type { ProblemDetails } from "./wire.ts";

/** The response to a failure (Engine §7). Any other error is a 500, and its cause goes to the log alone. */
export function toResponse(error: unknown, log: Logger): Response {
  if (error instanceof EngineError) {
    // The failure of a server or a store concerns the operator. Its public message has no details.
    if (ERRORS[error.code][0] >= 500) log.warn({ error }, "A request could not be served.");
    return engineErrorResponse(error);
  }
  if (error instanceof HTTPException && error.status < 500) {
    return Response.json({ error: error.message || "The request is not valid." }, { status: 400 });
  }
  // The database has logged its damage once; further requests would repeat the line.
  if (!isDamage(error)) log.error({ error }, "A request failed unexpectedly.");
  return Response.json({ error: "Internal server error." }, { status: 500 });
}

function engineErrorResponse(error: EngineError): Response {
  const { status } = error;
  if (error.code === "absent") return new Response(null, { status });
  const { message, details, allow } = error;
  if (error.code === "credential_store") {
    const problem: ProblemDetails = {
      type: "about:blank",
      title: "Encrypted credential storage is unavailable.",
      status: 503,
      detail: message,
    };
    const headers = { "Content-Type": "application/problem+json" };
    return Response.json(problem, { status: problem.status, headers });
  }
  const body = { error: message, ...(details === undefined ? {} : { details }) };
  const headers = {
    ...(allow === undefined ? {} : { Allow: allow }),
    ...(error.code === "unauthorized" ? { "WWW-Authenticate": "Bearer" } : {}),
  };
  return Response.json(body, { status, headers });
}
