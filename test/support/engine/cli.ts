import { PassThrough, Readable } from "node:stream";
import { runCli } from "../../../engine/cli/run.ts";
import { systemTimers, type Timers } from "../../../shared/clock.ts";
import type { Environment } from "../../../shared/env.ts";
import { type CliResult, recordOutput, runCliProcess } from "../processes.ts";
import { START } from "./process.ts";

/** What a test replaces of the process around a command. */
export interface CliOptions {
  folder?: string;
  signal?: AbortSignal;
  /** What is typed; the command then believes that it has a terminal of 80 columns. */
  typed?: Readable;
  /** What is piped in, where nothing is typed. */
  input?: Readable;
  timers?: Timers;
  /** Opens an address in place of the system's browser. */
  showInBrowser?(url: string): Promise<boolean>;
  /** Sees all that is written, as it is written. */
  onWrite?(text: string): void;
}

/** A person who answers the questions of a command in order, and presses Enter once no answer is left. */
export function answering(...answers: readonly (string | Promise<string>)[]) {
  const typed = new PassThrough();
  const left = [...answers];
  const person = {
    typed,
    questions: 0,
    onWrite(text: string) {
      if (!text.includes(BEGIN_OF_QUESTION)) return;
      person.questions += 1;
      const answer = Promise.resolve(left.shift() ?? ENTER);
      setImmediate(async () => {
        if ((await answer) === END_OF_INPUT) typed.end();
        else typed.write(await answer);
      });
    },
  };
  return person;
}

/** An answer that closes the terminal. */
export const END_OF_INPUT = "\u0004";
const ENTER = "\r";
// It hides the cursor.
const BEGIN_OF_QUESTION = "\u001b[?25l";
const COMMAND = ["/opt/node", "--flag", "/opt/roundhouse/engine/start.mjs"];

/** Runs a command in this process. */
export async function cli(
  env: Environment,
  args: string[],
  options: CliOptions = {},
): Promise<CliResult> {
  const { folder = "/", signal = new AbortController().signal, typed, input, onWrite } = options;
  const { showInBrowser, timers = systemTimers } = options;
  const output = recordOutput(onWrite);
  const terminal = {
    input: typed ?? input ?? Readable.from([]),
    write: output.write,
    writeError: output.writeError,
    isInteractive: typed !== undefined,
    isInputTerminal: typed !== undefined,
    columns: typed && 80,
  };
  const start = () => Promise.reject(new Error("A test starts its engines itself."));
  const parts = { env, folder, command: COMMAND, terminal, signal, start, timers };
  const code = await runCli(args, { ...parts, ...(showInBrowser && { showInBrowser }) });
  return output.result(code, args);
}

/** Runs a command as its own process, as a person does. */
export function cliProcess(env: Environment, args: string[]): Promise<CliResult> {
  return runCliProcess(START, args, { env });
}
