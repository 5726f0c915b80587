import { type Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { CommandFailed } from "./output.ts";
import { toPrintable } from "./printable.ts";

/** A person at a terminal. */
export interface Keyboard {
  input: Readable;
  /** Questions go there, so that standard output stays the result. */
  writeError(text: string): void;
  /** Ctrl-C at a question, which makes no signal there: it stops what asks. That of this process by default. */
  interrupt?(): void;
}

/** Prompts the user. Requires a terminal. Every question throws InputEnded, or the reason of the signal that stops it. */
export interface Prompt {
  /** A line; `otherwise` if it is empty. */
  line(question: string, otherwise?: string): Promise<string>;
  /** A line of which each character is shown as a dot. */
  secret(question: string): Promise<string>;
  /** Yes or no: `y`, `n`, or Enter for what is proposed. What was typed before the question allows nothing. */
  confirm(question: string, otherwise: boolean): Promise<boolean>;
  /** The position of one of several, by the arrow keys; the first one for Enter. */
  choose(question: string, options: readonly string[]): Promise<number>;
}

/** The input ended while a question was asked: Ctrl-D on a terminal, or a question that was given up. */
export class InputEnded extends CommandFailed {
  override name = "InputEnded";
}

type Clack = typeof import("@clack/prompts");
type Common = Required<Pick<Parameters<Clack["text"]>[0], "input" | "output" | "message">> & {
  signal: AbortSignal;
};

const CTRL_D = "\u0004";
const INTERRUPT_WAIT_MS = 1_000;

export function createPrompt(keyboard: Keyboard, signal: AbortSignal): Prompt {
  const { input, writeError, interrupt = () => process.kill(process.pid, "SIGINT") } = keyboard;
  const ask = async <Answer>(
    question: string,
    show: (clack: Clack, common: Common) => Promise<Answer>,
  ): Promise<Exclude<Answer, symbol>> => {
    signal.throwIfAborted();
    const clack = await import("@clack/prompts");
    clack.updateSettings({ aliases: { [CTRL_D]: "cancel" } });
    const output = new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        writeError(text);
        done();
      },
    });
    const ended = new AbortController();
    const end = () => ended.abort();
    const onKey = (_text: string, key?: { sequence?: string }) => {
      if (key?.sequence === CTRL_D) end();
    };
    input.once("end", end).on("keypress", onKey);
    try {
      const until = AbortSignal.any([signal, ended.signal]);
      const common = { input, output, signal: until, message: toPrintable(question) };
      const answer = await show(clack, common);
      // What is no cancellation is an answer, which TypeScript cannot conclude.
      if (typeof answer !== "symbol") return answer as Exclude<Answer, symbol>;
      if (!until.aborted) {
        interrupt();
        // The timer keeps the process until its signal arrives.
        await wait(INTERRUPT_WAIT_MS, undefined, { signal }).catch(() => {});
      }
      signal.throwIfAborted();
      throw new InputEnded("There was no answer.");
    } finally {
      input.off("end", end).off("keypress", onKey);
    }
  };
  return {
    async line(question, otherwise = "") {
      const typed = await ask(question, (clack, common) =>
        clack.text({ ...common, placeholder: toPrintable(otherwise), defaultValue: otherwise }),
      );
      return (typed ?? "").trim();
    },
    async secret(question) {
      return ((await ask(question, ({ password }, common) => password(common))) ?? "").trim();
    },
    confirm: (question, otherwise) =>
      ask(question, ({ confirm }, common) => {
        input.read();
        return confirm({ ...common, initialValue: otherwise });
      }),
    choose: (question, options) =>
      ask(question, ({ select }, common) => {
        const labels = options.map((label, value) => ({ value, label: toPrintable(label) }));
        return select({ ...common, options: labels });
      }),
  };
}
