import { createInterface } from "node:readline";
import { type Readable, Writable } from "node:stream";
import { onAbort } from "../on-abort.ts";
import { CommandFailed } from "./output.ts";

/** A person at a terminal. */
export interface Keyboard {
  input: Readable;
  /** Questions go there, so that standard output stays the result. */
  writeError(text: string): void;
  /** Ctrl-C at a question, where the terminal makes no signal of it; that of this process by default. */
  interrupt?(): void;
}

interface Question {
  question: string;
  /** Whether what is typed is shown. */
  isShown: boolean;
  /** Whether text that an earlier question left is no answer to this one. */
  isFresh?: boolean;
  signal: AbortSignal;
}

/** The input ended while a question was asked: Ctrl-D on a terminal. */
export class InputEnded extends CommandFailed {
  override name = "InputEnded";
}

/**
 * One line. A pasted text may hold the answers to several questions: what one leaves, the next one reads.
 * @throws InputEnded at the end of the input; the reason of `signal` when it aborts
 */
export function readAnswer(
  { input, writeError, interrupt = interruptProcess }: Keyboard,
  { question, isShown, isFresh = false, signal }: Question,
): Promise<string> {
  signal.throwIfAborted();
  if (isFresh) input.read();
  const typed: string[] = [];
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (isShown && typed.length === 0) writeError(String(chunk));
      done();
    },
  });
  const isTerminal = "isTTY" in input && input.isTTY === true;
  // Before the question: from then on the terminal itself must not show what is typed.
  const lines = createInterface({ input, output, terminal: isTerminal });
  writeError(question);
  // The line editor draws the prompt again with the line.
  lines.setPrompt(question);
  return new Promise<string>((resolve, reject) => {
    const stop = () => lines.close();
    const forget = onAbort(signal, stop);
    lines.on("SIGINT", interrupt);
    lines.on("line", (line) => {
      // The lines of one paste come one after the other, at once.
      if (typed.push(line) === 1) setImmediate(stop);
    });
    lines.once("close", () => {
      forget();
      if (!isShown) writeError("\n");
      const [answer, ...rest] = typed;
      const next = [...rest, isTerminal ? lines.line : ""].join("\n");
      if (answer !== undefined && next !== "") input.unshift(next);
      if (answer !== undefined) resolve(answer);
      else reject(signal.aborted ? signal.reason : new InputEnded("There was no answer."));
    });
  });
}

function interruptProcess(): void {
  process.kill(process.pid, "SIGINT");
}
