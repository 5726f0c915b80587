import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { CommandFailed } from "../../shared/cli/output.ts";
import { systemErrorCode } from "../../shared/system-error.ts";
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

/** Opens a file that an argument names, to read it. @throws CommandFailed if it is no file, or cannot be read */
export async function openRegularFile(path: string): Promise<FileHandle> {
  // A pipe would never open, or never end.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error) =>
    rethrowUnreadable(path, error),
  );
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new CommandFailed(`${path} is not a file.`);
}

/** @throws CommandFailed with the code of the system's error */
export function rethrowUnreadable(path: string, error: unknown): never {
  throw new CommandFailed(`${path} cannot be read (${systemErrorCode(error)}).`, { cause: error });
}
