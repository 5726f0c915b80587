import { Command } from "commander";
import { VERSION } from "../version.ts";

/** What the commands need of the program that they belong to. */
export interface ProgramActions {
  /** Runs the engine until it is asked to stop. */
  start(): Promise<void>;
}

/** The command line of `npm run engine -- …`. Without arguments the engine starts, and this is never loaded. */
export function createProgram({ start }: ProgramActions): Command {
  const program = new Command("engine")
    .description("The Roundhouse engine. Its settings are the ENGINE_… variables; see README.md.")
    .version(VERSION);
  program
    .command("start", { isDefault: true })
    .description("start the engine and serve until it is asked to stop (SIGINT, SIGTERM, SIGHUP)")
    .action(start);
  return program;
}
