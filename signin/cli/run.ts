import { CommanderError } from "commander";
import type { Environment } from "../../shared/env.ts";
import { UserFacingError } from "../../shared/failure.ts";
import { redactText, withoutValues } from "../../shared/log.ts";
import { openBox } from "./open-box.ts";
import { openMailer } from "./open-mailer.ts";
import { openTarget } from "./open-target.ts";
import { createProgram } from "./program.ts";

/** How the command line reaches its process. */
export interface CliParts {
  env: Environment;
  write(text: string): void;
  writeError(text: string): void;
  /** Ends a long command between two steps. */
  signal: AbortSignal;
}

/** Runs one command; answers the exit code. Never throws. */
export async function runCli(args: readonly string[], parts: CliParts): Promise<number> {
  const { env, write, writeError, signal } = parts;
  const warn = (message: string) => writeError(`${message}\n`);
  const program = createProgram({
    write,
    writeError,
    signal,
    openTarget: ({ create = false } = {}) => openTarget({ env, create, warn }),
    openBox: () => openBox(env),
    openMailer: () => openMailer(env),
  });
  try {
    await program.parseAsync([...args], { from: "user" });
    return 0;
  } catch (error) {
    // Help and version end this way, too; whatever there was to say is said.
    if (error instanceof CommanderError) return error.exitCode;
    warn(sentenceOf(error, signal));
    return 1;
  }
}

function sentenceOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return "Stopped. What is done is done; run it again to go on.";
  const message = error instanceof Error ? withoutValues(error).message : String(error);
  if (error instanceof UserFacingError) return message;
  if (/fetch failed|ECONNREFUSED|ENOTFOUND/.test(message))
    return "The database server cannot be reached.";
  return `The command failed: ${redactText(message)}`;
}
