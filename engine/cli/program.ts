import { Command } from "commander";
import { VERSION } from "../version.ts";
import type { LoginOptions } from "./login.ts";

/** What the commands need of the program that they belong to. */
interface ProgramActions {
  /** Runs the engine until it is asked to stop. */
  start(): Promise<void>;
  /** Signs the running engine in through the browser. */
  login(options: LoginOptions): Promise<void>;
}

/** The command line of `npm run engine -- …`. Without arguments the engine starts, and this is never loaded. */
export function createProgram({ start, login }: ProgramActions): Command {
  const program = new Command("engine")
    .description("The Roundhouse engine. Its settings are the ENGINE_… variables; see README.md.")
    .version(VERSION);
  program
    .command("start", { isDefault: true })
    .description("start the engine and serve until it is asked to stop (SIGINT, SIGTERM, SIGHUP)")
    .action(start);
  program
    .command("login")
    .description("sign the running engine in to its account server, through the browser")
    .option("--provider <slug>", "the provider to sign in with, such as google or github", "google")
    .option("--no-browser", "print the address instead of opening it")
    .action(login);
  return program;
}
