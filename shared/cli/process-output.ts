import { systemErrorCode } from "../system-error.ts";

/** The output of a command. If it closes, the command ends. */
export interface ProcessOutput {
  /** Results. */
  write(text: string): void;
  /** Remarks, progress and errors. */
  writeError(text: string): void;
  /**
   * Waits until all is written. Returns the exit code: 0 if the reader of the results has left, 1 if they could not be written,
   * else the code of the command. A command that wrote no results keeps its code.
   */
  end(code: number): Promise<number>;
}

/**
 * The output of this process. `stop` is called once results cannot be written any more: `… | head` closes the pipe, and a disk
 * may be full. Nothing is written after that but the reason.
 */
export function createProcessOutput(
  { stdout, stderr }: Pick<NodeJS.Process, "stdout" | "stderr">,
  stop: () => void,
): ProcessOutput {
  let failure: Error | undefined;
  let hasResults = false;
  stdout.on("error", (error) => {
    failure ??= error;
    stop();
  });
  // Where remarks cannot be written, the results still count.
  stderr.on("error", () => {});
  const written = (stream: NodeJS.WriteStream) =>
    new Promise<void>((resolve) => stream.write("", () => resolve()));
  return {
    write: (text) => {
      hasResults = true;
      if (!failure) stdout.write(text);
    },
    writeError: (text) => {
      if (!failure) stderr.write(text);
    },
    async end(code) {
      if (hasResults) await written(stdout);
      // The stream tells its error after the callback of the write.
      await new Promise((resolve) => setImmediate(resolve));
      const isClosed = failure && ["EPIPE", "EOF"].includes(systemErrorCode(failure));
      if (failure && !isClosed) {
        stderr.write(`The output could not be written: ${failure.message}\n`);
      }
      await written(stderr);
      if (!failure) return code;
      return isClosed ? 0 : 1;
    },
  };
}
