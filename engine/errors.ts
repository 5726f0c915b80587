import { UserFacingError } from "../shared/failure.ts";

/** Every failure that a client may read, by its code: the status, and the message of one without parameters (Engine §7). */
export const ERRORS = {
  unauthorized: [401, "Missing or invalid bearer token."],
  invalid: [400, "The request is not valid."],
  forbidden: [403, "Forbidden."],
  not_found: [404, "Not found."],
  // An empty body: model and tool configurations.
  absent: [404, ""],
  method_not_allowed: [405, "Method not allowed."],
  conflict: [409, "Conflict."],
  too_large: [413, "The request is too large."],
  too_many: [429, "Too many requests."],
  stopping: [503, "The engine is stopping."],
  // ProblemDetails; the message is their `detail`, and names the way out.
  credential_store: [503, "The credential store cannot be used."],
  embedding: [503, "The embedder failed."],
  // A model provider refused or did not answer; the message names it.
  provider: [502, "The model provider failed."],
  // Or the status of the account server's response.
  cloud: [502, "The account server failed."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

type ErrorCode = keyof typeof ERRORS;

interface ErrorOptions {
  details?: string | undefined;
  /** The status of the account server; only for the code `cloud`. */
  status?: number | undefined;
  /** The header `Allow`; only for `method_not_allowed`. */
  allow?: string;
  cause?: unknown;
}

/** A failure that a client may read: `message` is public, `cause` goes to the log alone. */
export class EngineError extends UserFacingError {
  override name = "EngineError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: string | undefined;
  readonly allow: string | undefined;

  constructor(
    code: ErrorCode,
    message: string = ERRORS[code][1],
    { details, status = ERRORS[code][0], allow, cause }: ErrorOptions = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.details = details;
    this.allow = allow;
  }
}

/** A failure without parameters. */
export function failure(code: "unauthorized" | "not_found" | "absent"): EngineError {
  return new EngineError(code);
}

/** `details` names the field and the rule. */
export function invalid(message: string, details?: string): EngineError {
  return new EngineError("invalid", message, { details });
}

/** A request that this client may not make. */
export function forbidden(message: string, cause?: unknown): EngineError {
  return new EngineError("forbidden", message, { cause });
}

type Resource =
  | "Workspace"
  | "Thread"
  | "Message"
  | "Attachment"
  | "Path"
  | "Root"
  | "Turn"
  | "Context"
  | "Summary"
  | "Approval"
  | "Grant"
  | "Client key";

/** `<Resource> not found.` */
export function notFound(resource: Resource): EngineError {
  return new EngineError("not_found", `${resource} not found.`);
}

/** What was looked for. @throws EngineError `not_found` if there is none */
export function orNotFound<Value extends object | string | number>(
  value: Value | undefined,
  resource: Resource,
): Value {
  if (value === undefined) throw notFound(resource);
  return value;
}

/** With the header `Allow`. */
export function methodNotAllowed(methods: readonly string[]): EngineError {
  const allow = methods.join(", ");
  return new EngineError("method_not_allowed", `Only ${allow} can be used here.`, { allow });
}

/** The request contradicts the present state. */
export function conflict(message: string, details?: string): EngineError {
  return new EngineError("conflict", message, { details });
}

/** A body or file above its limit. */
export function tooLarge(message: string): EngineError {
  return new EngineError("too_large", message);
}

/** More than may be open at once; the message names the way out. */
export function tooMany(message: string): EngineError {
  return new EngineError("too_many", message);
}

/** The account server failed; with the status of its response, if there is one. */
export function accountServerFailed(
  message: string,
  options: Pick<ErrorOptions, "status" | "details" | "cause"> = {},
): EngineError {
  return new EngineError("cloud", message, options);
}

/** The text for clients: the message of an EngineError, one fixed sentence for all other errors. */
export function publicMessage(error: unknown): string {
  return error instanceof EngineError ? error.message : "Internal server error.";
}
