import { Command } from "commander";
import { VERSION } from "../version.ts";
import type { LoginOptions } from "./login.ts";

/** The actions that the program passes to the commands. */
interface ProgramActions {
  /** Runs the engine until a stop signal. */
  start(): Promise<void>;
  /** Signs the running engine in through the browser. */
  login(options: LoginOptions): Promise<void>;
}

/** The command line of `npm run engine -- …`. It is not loaded without arguments. */
export function createProgram({ start, login }: ProgramActions): Command {
  const program = new Command("engine")
    .description("The Roundhouse engine. Its settings are the ENGINE_… variables; see README.md.")
    .version(VERSION);
  program
    .command("start", { isDefault: true })
    .description("start the engine and serve until a signal stops it (SIGINT, SIGTERM, SIGHUP)")
    .action(start);
  program
    .command("login")
    .description("sign the running engine in to its account server, through the browser")
    .option("--provider <slug>", "the provider to sign in with, such as google or github", "google")
    .option("--no-browser", "print the address instead of opening it")
    .action(login);
  return program;
}
