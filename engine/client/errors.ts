import { readFailure } from "../../shared/client/failure.ts";

interface EngineErrorOptions {
  /** 0 if no response came. */
  status: number;
  details?: string | undefined;
  cause?: unknown;
}

/** A failed call: the engine responded with an error, or not at all. */
export class EngineError extends Error {
  override name = "EngineError";
  /** The status of the response; 0 if none came. */
  readonly status: number;
  /** The field and the rule, or the way out; not every failure has it. */
  readonly details: string | undefined;

  constructor(message: string, { status, details, cause }: EngineErrorOptions) {
    super(message, { cause });
    this.status = status;
    this.details = details;
  }
}

/** No engine runs where the client looked for one, none could be launched, or it was away for too long. */
export class EngineNotRunning extends EngineError {
  override name = "EngineNotRunning";

  constructor(message: string, cause?: unknown) {
    super(message, { status: 0, cause });
  }
}

interface TurnErrorOptions {
  turnUuid: string | undefined;
  partialText: string;
  cause?: unknown;
}

class TurnError extends Error {
  /** Undefined if it never began, or if the engine could not be asked. */
  readonly turnUuid: string | undefined;
  /** The text so far. */
  readonly partialText: string;

  constructor(message: string, { turnUuid, partialText, cause }: TurnErrorOptions) {
    super(message, { cause });
    this.turnUuid = turnUuid;
    this.partialText = partialText;
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
