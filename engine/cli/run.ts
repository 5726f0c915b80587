import { createJsonOutput, createTextOutput } from "../../shared/cli/output.ts";
import { toPrintable } from "../../shared/cli/printable.ts";
import { runProgram } from "../../shared/cli/run-program.ts";
import { systemTimers } from "../../shared/clock.ts";
import { UserFacingError } from "../../shared/failure.ts";
import { redactText, withoutValues } from "../../shared/log.ts";
import { EngineError, TurnCancelled, TurnFailed } from "../client/errors.ts";
import { EngineNotRunning } from "../client/node.ts";
import { parseConfig } from "../config.ts";
import { dataDirectoryAt } from "../runtime/data-directory.ts";
import { type CommandContext, openEngine } from "./context.ts";
import { describeAnswer } from "./describe-answer.ts";
import { createProgram } from "./program.ts";
import { showInBrowser } from "./show-in-browser.ts";

/** The parts of the process that the command line uses; what may be left out is the system's. */
export type CliParts = Pick<
  CommandContext,
  "env" | "folder" | "command" | "terminal" | "signal" | "start"
> &
  Partial<Pick<CommandContext, "timers" | "showInBrowser">>;

/** Runs one command and returns the exit code: 0, 1 for a failure, 2 for a wrong argument. Never throws. */
export async function runCli(args: readonly string[], parts: CliParts): Promise<number> {
  const { env, terminal, signal } = parts;
  const config = () => parseConfig(env);
  const directory = () => dataDirectoryAt(config().dataDirectory);
  const text = createTextOutput((text) => terminal.write(toPrintable(text)));
  const json = createJsonOutput(terminal.write);
  const program = createProgram(terminal, (isJson) => ({
    timers: systemTimers,
    showInBrowser,
    ...parts,
    config,
    directory,
    out: () => (isJson() ? json : text),
    showsText: () => !isJson(),
    isInteractive: () => terminal.isInteractive && !isJson(),
    remark: (text) => {
      if (!isJson()) terminal.writeError(toPrintable(`${text}\n`));
    },
    openEngine: () => openEngine(directory(), signal),
  }));
  return runProgram(program, args, {
    usageCode: 2,
    writeError: (text) => terminal.writeError(text),
    describe: (error) => describeFailure(error, signal),
  });
}

function describeFailure(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return "Stopped.";
  if (error instanceof EngineNotRunning) {
    return "The engine is not running on this data directory. Start it with `npm start`.";
  }
  if (error instanceof EngineError) return describeAnswer(error);
  if (error instanceof TurnFailed || error instanceof TurnCancelled) return error.message;
  if (error instanceof UserFacingError) return error.message;
  const message = error instanceof Error ? withoutValues(error).message : String(error);
  return `The command failed: ${redactText(message)}`;
}
