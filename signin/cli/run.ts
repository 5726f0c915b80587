import { runProgram } from "../../shared/cli/run-program.ts";
import { UserFacingError } from "../../shared/failure.ts";
import { redactText, withoutValues } from "../../shared/log.ts";
import type { CliParts } from "./context.ts";
import { createProgram } from "./program.ts";

/** Runs one command and returns the exit code. Never throws. */
export async function runCli(args: readonly string[], parts: CliParts): Promise<number> {
  const describe = (error: unknown) => describeFailure(error, parts.signal);
  const { writeError } = parts;
  return runProgram(createProgram(parts), args, { writeError, usageCode: 1, describe });
}

function describeFailure(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return "Stopped. Run the command again to continue.";
  const message = error instanceof Error ? withoutValues(error).message : String(error);
  if (error instanceof UserFacingError) return message;
  if (/fetch failed|ECONNREFUSED|ENOTFOUND/.test(message))
    return "The database server cannot be reached.";
  return `The command failed: ${redactText(message)}`;
}
