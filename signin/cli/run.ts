import { runProgram } from "../../shared/cli/run-program.ts";
import type { Environment } from "../../shared/env.ts";
import { UserFacingError } from "../../shared/failure.ts";
import { redactText, withoutValues } from "../../shared/log.ts";
import { createConfiguredBox } from "./configured-box.ts";
import { createConfiguredMailer } from "./configured-mailer.ts";
import { openTarget } from "./open-target.ts";
import { createProgram } from "./program.ts";
import { createWrangler } from "./wrangler.ts";

/** The parts of the process that the command line uses. */
export interface CliParts {
  env: Environment;
  write(text: string): void;
  writeError(text: string): void;
  /** Ends a long command between two steps. */
  signal: AbortSignal;
}

/** Runs one command and returns the exit code. Never throws. */
export async function runCli(args: readonly string[], parts: CliParts): Promise<number> {
  const { env, write, writeError, signal } = parts;
  const warn = (message: string) => writeError(`${message}\n`);
  const program = createProgram({
    write,
    writeError,
    signal,
    openTarget: ({ create = false } = {}) => openTarget({ env, create, warn }),
    createConfiguredBox: () => createConfiguredBox(env),
    createConfiguredMailer: () => createConfiguredMailer(env),
    wrangler: createWrangler(env, signal),
  });
  const describe = (error: unknown) => describeFailure(error, signal);
  return runProgram(program, args, { writeError, usageCode: 1, describe });
}

function describeFailure(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return "Stopped. Run the command again to continue.";
  const message = error instanceof Error ? withoutValues(error).message : String(error);
  if (error instanceof UserFacingError) return message;
  if (/fetch failed|ECONNREFUSED|ENOTFOUND/.test(message))
    return "The database server cannot be reached.";
  return `The command failed: ${redactText(message)}`;
}
