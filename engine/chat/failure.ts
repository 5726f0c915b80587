import { redactText } from "../../shared/log.ts";
import { EngineError, publicMessage } from "../errors.ts";
import { ModelFailure } from "../models/language-model.ts";
import type { ChatDeps } from "./ports.ts";

/** The reason of a turn that was stopped. */
export class TurnStopped extends Error {
  override name = "TurnStopped";
  /** Whether a client stopped it, or the end of the engine. */
  readonly state: "cancelled" | "interrupted";

  constructor(state: "cancelled" | "interrupted") {
    super();
    this.state = state;
  }
}

/** The thread or workspace of a turn was deleted while it ran. */
export class ThreadDeleted extends EngineError {
  constructor() {
    super("not_found", "The thread was deleted.");
  }
}

/** What a client reads of the failure of a turn. */
export function failureText(error: unknown): string {
  return error instanceof ModelFailure ? redactText(error.message) : publicMessage(error);
}

/** Expected failures are warnings: the client can do something about them. */
export function logFailure({ log }: Pick<ChatDeps, "log">, id: string, error: unknown): void {
  const isExpected = error instanceof EngineError || error instanceof ModelFailure;
  log[isExpected ? "warn" : "error"]({ turn: id, error }, "A turn failed.");
}
