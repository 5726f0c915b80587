import { CommandFailed } from "../../shared/cli/output.ts";
import type { Terminal } from "./terminal.ts";

/** What is piped in, trimmed; empty on a terminal. @throws CommandFailed if it is too much */
export async function readInput(
  { input, isInputTerminal }: Pick<Terminal, "input" | "isInputTerminal">,
  charactersMax: number,
): Promise<string> {
  if (isInputTerminal) return "";
  let text = "";
  input.setEncoding("utf8");
  for await (const piece of input) {
    text += piece;
    if (text.length > charactersMax) {
      throw new CommandFailed(`Standard input is longer than ${charactersMax} characters.`);
    }
  }
  return text.trim();
}
