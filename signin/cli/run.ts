import { runProgram } from "../../shared/cli/run-program.ts";
import { type Clock, systemClock, systemTimers, type Timers } from "../../shared/clock.ts";
import type { Environment } from "../../shared/env.ts";
import { UserFacingError } from "../../shared/failure.ts";
import { redactText, withoutValues } from "../../shared/log.ts";
import { createConfiguredBox } from "./configured-box.ts";
import { createConfiguredMailer } from "./configured-mailer.ts";
import { openTarget } from "./open-target.ts";
import { createProgram } from "./program.ts";
import type { Terminal } from "./terminal.ts";
import { createWrangler } from "./wrangler.ts";

/** The parts of the process that the command line uses. */
export interface CliParts {
  env: Environment;
  write(text: string): void;
  writeError(text: string): void;
  /** Ends a long command between two steps. */
  signal: AbortSignal;
  terminal: Terminal;
  /** The current folder. */
  folder: string;
  fetch: typeof fetch;
  /** The time of the system where it is left out. */
  time?: (Clock & Timers) | undefined;
}

/** Runs one command and returns the exit code. Never throws. */
export async function runCli(args: readonly string[], parts: CliParts): Promise<number> {
  const { env, write, writeError, signal, terminal, folder, fetch } = parts;
  const wrangler = createWrangler({ env, folder, signal });
  const warn = (message: string) => writeError(`${message}\n`);
  const program = createProgram({
    write,
    writeError,
    signal,
    env,
    folder,
    terminal,
    fetch,
    clock: parts.time ?? systemClock,
    timers: parts.time ?? systemTimers,
    openTarget: ({ create = false, env: other = env, d1 }) =>
      openTarget({ env: other, create, d1, wrangler, warn }),
    createConfiguredBox: () => createConfiguredBox(env),
    createConfiguredMailer: () => createConfiguredMailer(env),
    wrangler,
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
