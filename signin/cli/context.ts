import type { Output } from "../../shared/cli/output.ts";
import type { Clock, Timers } from "../../shared/clock.ts";
import type { Environment } from "../../shared/env.ts";
import type { Target, TargetChoice } from "./target.ts";
import type { Terminal } from "./terminal.ts";
import type { Wrangler } from "./wrangler.ts";

/** The parts of the process that the command line uses. */
export interface CliParts {
  env: Environment;
  write(text: string): void;
  writeError(text: string): void;
  /** Ends a long command between two steps. */
  signal: AbortSignal;
  terminal: Terminal;
  /** The current folder. */
  folder: string;
  fetch: typeof fetch;
  /** The time of the system if it is left out. */
  time?: (Clock & Timers) | undefined;
  /** The program on PATH if it is left out. */
  wrangler?: Wrangler | undefined;
}

/** The dependencies of a command. */
export interface CommandContext
  extends Omit<CliParts, "write" | "writeError" | "time" | "wrangler"> {
  /** Text, or JSON under `--json`. */
  out(): Output;
  /** Whether the command's options name a D1 database. */
  hasD1(): boolean;
  /** The database that the command's options and the variables name. */
  openTarget(choice?: TargetChoice): Promise<Target>;
  /** The same with the schema of this version. @throws CommandFailed if it has another one */
  openMigrated(): Promise<Target>;
  /** The program that deploys Workers. */
  wrangler: Wrangler;
  clock: Clock;
  timers: Timers;
}
