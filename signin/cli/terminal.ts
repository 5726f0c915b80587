import { addAbortSignal, type Readable } from "node:stream";
import { CommandFailed } from "../../shared/cli/output.ts";
import { createPrompt } from "../../shared/cli/prompt.ts";
import { SETUP_INPUT_CHARACTERS_MAX, SETUP_INPUT_WAIT_MS } from "../limits.ts";

/** The person at the keyboard, or the program that wrote to standard input. */
export interface Terminal {
  /** Whether a person can be asked. */
  isInteractive: boolean;
  /** One line, after the question and a blank. */
  ask(question: string): Promise<string>;
  /** One line, shown as dots. */
  askSecret(question: string): Promise<string>;
  /** All of standard input, which is no terminal; empty if nothing comes for some seconds. */
  readInput(): Promise<string>;
}

interface TerminalStreams {
  input: Readable;
  /** Questions go there, so that standard output stays the result. */
  write(text: string): void;
  isInteractive: boolean;
  signal: AbortSignal;
}

export function createTerminal({ input, write, isInteractive, signal }: TerminalStreams): Terminal {
  const prompt = createPrompt({ input, writeError: write }, signal);
  return {
    isInteractive,
    ask: (question) => prompt.line(question),
    askSecret: (question) => prompt.secret(question),
    readInput: () => readAll(input, signal),
  };
}

async function readAll(input: Readable, signal: AbortSignal): Promise<string> {
  const timeout = AbortSignal.timeout(SETUP_INPUT_WAIT_MS);
  let text = "";
  try {
    // Aborted, it does not keep the process alive.
    const chunks = addAbortSignal(AbortSignal.any([signal, timeout]), input.setEncoding("utf8"));
    for await (const chunk of chunks) {
      text += chunk;
      if (text.length <= SETUP_INPUT_CHARACTERS_MAX) continue;
      throw new CommandFailed("Standard input is too long for the secrets of one server.");
    }
    return text;
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error;
    if (text === "") return "";
    throw new CommandFailed("Standard input did not end. Close it after the JSON.");
  }
}
