import { UserFacingError } from "../../shared/failure.ts";
import type { Logger } from "../../shared/log.ts";
import { isDamage } from "../../shared/system-error.ts";
import { KeyRevoked } from "../client-keys/client-calls.ts";
import { EngineError } from "../errors.ts";
import { ModelFailure } from "../models/language-model.ts";

/** The fields of an error beside its message, as OpenAI names them. */
interface ErrorFields {
  type?: string;
  /** The field of the request that is wrong. */
  param?: string | null;
  code?: string | null;
  /** In seconds or as a date, as the provider sent it. */
  retryAfter?: string | null;
  /** The header `Allow`. */
  allow?: string;
}

/** A failure in the form of OpenAI's interface; the message is public. */
export class OpenAiError extends UserFacingError {
  override name = "OpenAiError";
  readonly status: number;
  readonly fields: ErrorFields;

  constructor(status: number, message: string, fields: ErrorFields = {}) {
    super(message);
    this.status = status;
    this.fields = fields;
  }
}

/** 400: a field of the request. */
export function badField(param: string, rule: string): OpenAiError {
  return new OpenAiError(400, `${param}: ${rule}.`, { param });
}

/** 404: the same for what is not there and for what the key does not reach. */
export function modelNotFound(model: string): OpenAiError {
  return new OpenAiError(404, `The model ${JSON.stringify(model)} does not exist.`, {
    param: "model",
    code: "model_not_found",
  });
}

/** The body of an error, in a response or in an event of a stream. */
export function errorBody(error: unknown, log: Logger): string {
  const { status, message, fields } = toOpenAiError(error, log);
  const { type = typeOf(status), param = null, code = null } = fields;
  return JSON.stringify({ error: { message, type, param, code } });
}

export function errorResponse(error: unknown, log: Logger): Response {
  const known = toOpenAiError(error, log);
  const { retryAfter, allow } = known.fields;
  return new Response(errorBody(known, log), {
    status: known.status,
    headers: {
      "Content-Type": "application/json",
      ...(known.status === 401 && { "WWW-Authenticate": "Bearer" }),
      ...(retryAfter && { "Retry-After": retryAfter }),
      ...(allow && { Allow: allow }),
    },
  });
}

function toOpenAiError(error: unknown, log: Logger): OpenAiError {
  if (error instanceof OpenAiError) return error;
  if (error instanceof EngineError) {
    const { status, message, details } = error;
    if (status >= 500) log.warn({ error }, "A request could not be served.");
    return new OpenAiError(status, details ? `${message} ${details}` : message);
  }
  if (error instanceof KeyRevoked) {
    return new OpenAiError(401, error.message, { code: "invalid_api_key" });
  }
  if (error instanceof ModelFailure) return new OpenAiError(502, error.message);
  // The client reads no answer.
  if (error instanceof DOMException && error.name === "AbortError") {
    return new OpenAiError(400, "The client went away.");
  }
  if (!isDamage(error)) log.error({ error }, "A request failed unexpectedly.");
  return new OpenAiError(500, "Internal server error.");
}

function typeOf(status: number): string {
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}
