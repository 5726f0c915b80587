/** What an `EngineError` has beside its message. */
interface EngineErrorOptions {
  /** 0 where no response came. */
  status: number;
  details?: string | undefined;
  cause?: unknown;
}

/** A call that failed: the engine's answer, or that none came. */
export class EngineError extends Error {
  override name = "EngineError";
  /** The status of the response; 0 where none came. */
  readonly status: number;
  /** The field and the rule, or the way out; not every failure has it. */
  readonly details: string | undefined;

  constructor(message: string, { status, details, cause }: EngineErrorOptions) {
    super(message, { cause });
    this.status = status;
    this.details = details;
  }
}

/** The failure that a response carries: an Error body, or problem details (RFC 9457). */
export async function toEngineError(response: Response): Promise<EngineError> {
  const { status } = response;
  const body = parseObject(await response.text().catch(() => ""));
  const message = [body.error, body.detail, body.title].find((text) => typeof text === "string");
  const details = typeof body.details === "string" ? body.details : undefined;
  return new EngineError(String(message ?? `The engine answered ${status}.`), { status, details });
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
