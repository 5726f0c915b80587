import type { Readable } from "node:stream";
import type { ProcessOutput } from "../../shared/cli/process-output.ts";

/** Where a command reads and writes; tests pass their own. */
export interface Terminal {
  input: Readable;
  /** Results. */
  write(text: string): void;
  /** Remarks, progress and errors. */
  writeError(text: string): void;
  /** Whether a person can be asked: input and output are a terminal. */
  isInteractive: boolean;
  /** Whether the input is a terminal: then it never ends by itself. */
  isInputTerminal: boolean;
  /** The width of the terminal that shows remarks; undefined if it is a file or a pipe. */
  columns: number | undefined;
}

/** The terminal of this process. */
export function processTerminal(
  { stdin, stdout, stderr }: NodeJS.Process,
  { write, writeError }: ProcessOutput,
): Terminal {
  return {
    input: stdin,
    write,
    writeError,
    isInteractive: Boolean(stdin.isTTY && stdout.isTTY),
    isInputTerminal: Boolean(stdin.isTTY),
    columns: stderr.isTTY ? stderr.columns : undefined,
  };
}
