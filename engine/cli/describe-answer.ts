import { CommandFailed } from "../../shared/cli/output.ts";
import { EngineError } from "../client/errors.ts";

/** What the engine answered. A 404 of some operations has no message. */
export function describeAnswer({ message, details, status }: EngineError): string {
  return [message || `The engine responded with status ${status}.`, details]
    .filter(Boolean)
    .join(" ");
}

/** For `.catch()` of a call: a 404 of it becomes this failure. */
export function failIfMissing(sentence: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof EngineError && error.status === 404
      ? new CommandFailed(sentence)
      : error;
  };
}
