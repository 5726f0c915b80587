import { type Command, CommanderError } from "commander";
import { toPrintable } from "./printable.ts";

interface ProgramEnd {
  writeError(text: string): void;
  /** The exit code of a wrong argument. */
  usageCode: number;
  /** The sentence for what a command threw. */
  describe(error: unknown): string;
}

/** Runs one command of a program that throws instead of exiting, and returns the exit code. Never throws. */
export async function runProgram(
  program: Command,
  args: readonly string[],
  { writeError, usageCode, describe }: ProgramEnd,
): Promise<number> {
  hintAtArguments(program);
  try {
    await program.parseAsync([...args], { from: "user" });
    return 0;
  } catch (error) {
    // Help and version end this way, too. commander has written the message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageCode;
    // Sentences quote names, paths and what providers said.
    writeError(toPrintable(`${describe(error)}\n`));
    return 1;
  }
}

/** After an error of a command that has arguments alone: commands take over the hint of the program, which is at its commands. */
function hintAtArguments({ commands }: Command): void {
  for (const command of commands) {
    if (command.commands.length > 0) hintAtArguments(command);
    else command.showHelpAfterError("(--help after the command lists its arguments)");
  }
}
