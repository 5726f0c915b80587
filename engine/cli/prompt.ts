import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { CommandFailed } from "../../shared/cli/output.ts";
import { toPrintable } from "../../shared/cli/printable.ts";
import type { Terminal } from "./terminal.ts";

/** Asks a person. Only for a terminal: see `CommandContext.isInteractive`. */
export interface Prompt {
  /** A line; `otherwise` where it is empty. @throws CommandFailed at the end of the input */
  line(question: string, otherwise?: string): Promise<string>;
  /** A line that is not shown. */
  secret(question: string): Promise<string>;
  /** `y` or `n`; what an empty line means is in capitals. */
  confirm(question: string, otherwise: boolean): Promise<boolean>;
  /** The position of one of several, by its number; the first one for an empty line. */
  choose(question: string, options: readonly string[]): Promise<number>;
}

/** Ctrl-C at a question is the signal of this process. */
export function createPrompt(terminal: Terminal, signal: AbortSignal): Prompt {
  const read = (question: string, isShown: boolean) =>
    readLine(terminal, { question: toPrintable(question), isShown, signal });
  const prompt: Prompt = {
    async line(question, otherwise = "") {
      const shown = otherwise === "" ? question : `${question} [${otherwise}]`;
      return (await read(`${shown} `, true)).trim() || otherwise;
    },
    secret: async (question) => (await read(`${question} `, false)).trim(),
    async confirm(question, otherwise) {
      const typed = await read(`${question} [${otherwise ? "Y/n" : "y/N"}] `, true);
      return typed.trim() === "" ? otherwise : /^y(es)?$/i.test(typed.trim());
    },
    async choose(question, options) {
      for (const [at, option] of options.entries()) {
        terminal.writeError(`  ${at + 1}  ${toPrintable(option)}\n`);
      }
      for (;;) {
        const typed = await prompt.line(question, "1");
        const at = /^\d{1,4}$/.test(typed) ? Number(typed) - 1 : -1;
        if (options[at] !== undefined) return at;
        terminal.writeError(`Type a number from 1 to ${options.length}.\n`);
      }
    },
  };
  return prompt;
}

interface Question {
  question: string;
  isShown: boolean;
  signal: AbortSignal;
}

function readLine(terminal: Terminal, { question, isShown, signal }: Question): Promise<string> {
  signal.throwIfAborted();
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (isShown) terminal.writeError(String(chunk));
      done();
    },
  });
  const { input, isInteractive } = terminal;
  const isTerminal = isInteractive && "isTTY" in input && input.isTTY === true;
  // Before the question: from then on the terminal itself must not show what is typed.
  const lines = createInterface({ input, output, terminal: isTerminal });
  terminal.writeError(question);
  // The line editor draws the prompt again with the line.
  lines.setPrompt(question);
  return new Promise<string>((resolve, reject) => {
    const stop = () => lines.close();
    signal.addEventListener("abort", stop, { once: true });
    lines.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
    lines.once("line", (line) => {
      resolve(line);
      lines.close();
    });
    lines.once("close", () => {
      signal.removeEventListener("abort", stop);
      if (!isShown) terminal.writeError("\n");
      reject(signal.aborted ? signal.reason : new CommandFailed("There was no answer."));
    });
  });
}
