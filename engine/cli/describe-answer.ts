import type { EngineError } from "../client/errors.ts";

/** What the engine answered. A 404 of some operations has no message. */
export function describeAnswer({ message, details, status }: EngineError): string {
  return [message || `The engine answered ${status}.`, details].filter(Boolean).join(" ");
}
