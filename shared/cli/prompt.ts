import { type Keyboard, readAnswer } from "./keyboard.ts";
import { toPrintable } from "./printable.ts";

/** Prompts the user. Requires a terminal. Every question throws what `readAnswer` throws. */
export interface Prompt {
  /** A line; `otherwise` if it is empty. */
  line(question: string, otherwise?: string): Promise<string>;
  /** A line that is not shown. */
  secret(question: string): Promise<string>;
  /** `y` or `n`; what an empty line means is in capitals. The rest of a pasted text allows nothing. */
  confirm(question: string, otherwise: boolean): Promise<boolean>;
  /** The position of one of several, by its number; the first one for an empty line. */
  choose(question: string, options: readonly string[]): Promise<number>;
}

export function createPrompt(keyboard: Keyboard, signal: AbortSignal): Prompt {
  const read = async (question: string, how: { isShown: boolean; isFresh?: boolean }) => {
    const asked = { question: toPrintable(`${question} `), ...how, signal };
    return (await readAnswer(keyboard, asked)).trim();
  };
  const prompt: Prompt = {
    async line(question, otherwise = "") {
      const shown = otherwise === "" ? question : `${question} [${otherwise}]`;
      return (await read(shown, { isShown: true })) || otherwise;
    },
    secret: (question) => read(question, { isShown: false }),
    async confirm(question, otherwise) {
      const shown = `${question} [${otherwise ? "Y/n" : "y/N"}]`;
      const typed = await read(shown, { isShown: true, isFresh: true });
      return typed === "" ? otherwise : /^y(es)?$/i.test(typed);
    },
    async choose(question, options) {
      const width = String(options.length).length;
      for (const [at, option] of options.entries()) {
        keyboard.writeError(`  ${String(at + 1).padStart(width)}  ${toPrintable(option)}\n`);
      }
      for (;;) {
        const typed = await prompt.line(question, "1");
        const at = /^\d{1,4}$/.test(typed) ? Number(typed) - 1 : -1;
        if (options[at] !== undefined) return at;
        keyboard.writeError(`Type a number from 1 to ${options.length}.\n`);
      }
    },
  };
  return prompt;
}
