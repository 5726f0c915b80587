import type { Readable } from "node:stream";
import { CommandFailed } from "../../shared/cli/output.ts";
import { SETUP_INPUT_CHARACTERS_MAX, SETUP_INPUT_WAIT_MS } from "../limits.ts";

/** The person at the keyboard, or the program that wrote to standard input. */
export interface Terminal {
  /** Whether a person can be asked. */
  isInteractive: boolean;
  /** One line. */
  ask(question: string): Promise<string>;
  /** One line that is not shown. */
  askSecret(question: string): Promise<string>;
  /** All of standard input, which is no terminal; empty where nothing comes for some seconds. */
  readInput(): Promise<string>;
}

/** The streams of a process. */
export interface TerminalStreams {
  input: NodeJS.ReadStream;
  /** Questions go there, so that standard output stays the result. */
  write(text: string): void;
  isInteractive: boolean;
  signal: AbortSignal;
}

const ENTER = /[\r\n]/;
const END_OF_TEXT = "\u0003";
const END_OF_INPUT = "\u0004";
const RUB_OUT = /[\u0008\u007f]/;

export function createTerminal({ input, write, isInteractive, signal }: TerminalStreams): Terminal {
  const characters = createReader(input, signal);
  return {
    isInteractive,
    async ask(question) {
      write(question);
      return readLine(characters);
    },
    async askSecret(question) {
      // The terminal itself shows what is typed; from the question on it must not.
      input.setRawMode(true);
      try {
        write(question);
        return await readLine(characters);
      } finally {
        input.setRawMode(false);
        write("\n");
      }
    },
    readInput: () => readAll(input, signal),
  };
}

type NextCharacter = () => Promise<string | undefined>;

/** A pasted text may hold the answers to several questions: what one leaves, the next one reads. */
function createReader(input: Readable, signal: AbortSignal): NextCharacter {
  let rest: string[] = [];
  return async () => {
    while (rest.length === 0) {
      const chunk = await nextChunk(input, signal);
      if (chunk === undefined) return undefined;
      rest = [...chunk];
    }
    return rest.shift();
  };
}

function nextChunk(input: Readable, signal: AbortSignal): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const onData = (chunk: Buffer) => resolve(chunk.toString("utf8"));
  const onEnd = () => resolve(undefined);
  const onAbort = () => reject(signal.reason);
  if (input.readableEnded || input.destroyed) onEnd();
  input.on("data", onData).on("end", onEnd);
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  input.resume();
  return promise.finally(() => {
    // Paused, it does not keep the process alive.
    input.pause();
    input.off("data", onData).off("end", onEnd);
    signal.removeEventListener("abort", onAbort);
  });
}

async function readLine(next: NextCharacter): Promise<string> {
  let line = "";
  for (;;) {
    const character = await next();
    if (character === undefined || character === END_OF_INPUT || character === END_OF_TEXT) {
      throw new CommandFailed("Stopped: a question was not answered.");
    }
    if (ENTER.test(character)) return line.trim();
    line = RUB_OUT.test(character) ? line.slice(0, -1) : line + character;
  }
}

async function readAll(input: Readable, signal: AbortSignal): Promise<string> {
  const timeout = AbortSignal.timeout(SETUP_INPUT_WAIT_MS);
  const stop = AbortSignal.any([signal, timeout]);
  let text = "";
  try {
    for (;;) {
      const chunk = await nextChunk(input, stop);
      if (chunk === undefined) return text;
      text += chunk;
      if (text.length <= SETUP_INPUT_CHARACTERS_MAX) continue;
      throw new CommandFailed("Standard input is too long for the secrets of one server.");
    }
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error;
    if (text === "") return "";
    throw new CommandFailed("Standard input does not end: close it after the JSON.");
  }
}
