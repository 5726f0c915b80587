import { readFailure } from "../../shared/client/failure.ts";

/** A failed call: the engine responded with an error, or not at all. */
export class EngineError extends Error {
  override name = "EngineError";
  /** The status of the response; 0 if none came. */
  readonly status: number;
  /** The field and the rule, or the way out; not every failure has it. */
  readonly details: string | undefined;

  constructor(
    message: string,
    options: Pick<EngineError, "status"> & Partial<Pick<EngineError, "details" | "cause">>,
  ) {
    super(message, { cause: options.cause });
    this.status = options.status;
    this.details = options.details;
  }
}

/** No engine runs where the client looked for one, none could be launched, or it was away for too long. */
export class EngineNotRunning extends EngineError {
  override name = "EngineNotRunning";

  constructor(message: string, cause?: unknown) {
    super(message, { status: 0, cause });
  }
}

class TurnError extends Error {
  /** Undefined if it never began, or if the engine could not be asked. */
  readonly turnUuid: string | undefined;
  /** The text so far. */
  readonly partialText: string;

  constructor(message: string, options: Pick<TurnError, "turnUuid" | "partialText" | "cause">) {
    super(message, { cause: options.cause });
    this.turnUuid = options.turnUuid;
    this.partialText = options.partialText;
  }
}

/** A turn that a client cancelled, or whose thread was deleted. The cause is the reason of the signal. */
export class TurnCancelled extends TurnError {
  override name = "TurnCancelled";
}

/** A turn that failed, or that the engine did not survive. */
export class TurnFailed extends TurnError {
  override name = "TurnFailed";
}

/** The failure that a response carries. */
export async function toEngineError(response: Response): Promise<EngineError> {
  const { message, ...failure } = await readFailure(response, "The engine");
  return new EngineError(message, failure);
}
