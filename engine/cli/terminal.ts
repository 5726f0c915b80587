import type { Readable } from "node:stream";

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
  /** The width of the terminal that shows remarks; undefined where it is a file or a pipe. */
  columns: number | undefined;
}

/** The terminal of this process. */
export function processTerminal({ stdin, stdout, stderr }: NodeJS.Process): Terminal {
  // `… logs | head` closes the pipe: what is written after that is lost, and is no failure.
  for (const stream of [stdout, stderr]) stream.on("error", () => {});
  return {
    input: stdin,
    write: (text) => void stdout.write(text),
    writeError: (text) => void stderr.write(text),
    isInteractive: Boolean(stdin.isTTY && stdout.isTTY),
    isInputTerminal: Boolean(stdin.isTTY),
    columns: stderr.isTTY ? stderr.columns : undefined,
  };
}
