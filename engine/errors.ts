/** What can go wrong, as the wire knows it; `engine/http/errors.ts` turns each into a status and a body. */
export type ErrorCode =
  | "unauthorized"
  | "invalid"
  | "forbidden"
  | "not_found"
  | "absent"
  | "method_not_allowed"
  | "conflict"
  | "too_large"
  | "credential_store"
  | "embedding"
  | "cloud";

interface ErrorOptions {
  details?: string;
  /** The status of the account server, where the code is `cloud`; or of `Allow`, see `methodNotAllowed`. */
  status?: number;
  allow?: string;
  cause?: unknown;
}

/** A failure that a client may read: `message` is public, `cause` goes to the log alone. */
export class EngineError extends Error {
  override name = "EngineError";
  readonly code: ErrorCode;
  readonly details: string | undefined;
  readonly status: number | undefined;
  readonly allow: string | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.status = options.status;
    this.allow = options.allow;
  }
}

export function unauthorized(): EngineError {
  return new EngineError("unauthorized", "Missing or invalid bearer token.");
}

/** 400. `details` names the field and the rule. */
export function invalid(message: string, details?: string): EngineError {
  return new EngineError("invalid", message, { details });
}

/** 403. */
export function forbidden(message: string, cause?: unknown): EngineError {
  return new EngineError("forbidden", message, { cause });
}

/** 404 `<Resource> not found.` */
export function notFound(resource: "Workspace" | "Thread" | "Path" | "Root"): EngineError {
  return new EngineError("not_found", `${resource} not found.`);
}

/** 404 for a path that no route has. */
export function unknownPath(): EngineError {
  return new EngineError("not_found", "Not found.");
}

/** 404 with an empty body: model and tool configurations (Engine §7). */
export function absent(): EngineError {
  return new EngineError("absent", "");
}

/** 405 with `Allow`. */
export function methodNotAllowed(methods: readonly string[]): EngineError {
  const allow = methods.join(", ");
  return new EngineError("method_not_allowed", `Only ${allow} can be used here.`, { allow });
}

/** 409. */
export function conflict(message: string): EngineError {
  return new EngineError("conflict", message);
}

/** 413. */
export function tooLarge(message: string): EngineError {
  return new EngineError("too_large", message);
}

/** 503 ProblemDetails: the credential store cannot be used (Engine §7). `detail` says what to do. */
export function credentialStoreFailed(detail: string, cause?: unknown): EngineError {
  return new EngineError("credential_store", detail, { cause });
}

/** 503: the embedder failed (Engine §7). */
export function embeddingFailed(message: string, cause?: unknown): EngineError {
  return new EngineError("embedding", message, { cause });
}

/** The account server's own status where it gave one, else 502 (Engine §7). */
export function cloudFailed(message: string, status = 502, cause?: unknown): EngineError {
  return new EngineError("cloud", message, { status, cause });
}

/** What a client may read of any error: the message of an EngineError, one fixed sentence for all others. */
export function publicMessage(error: unknown): string {
  return error instanceof EngineError ? error.message : "Internal server error.";
}
