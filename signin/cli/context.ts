import type { Output } from "../../shared/cli/output.ts";
import type { Clock, Timers } from "../../shared/clock.ts";
import type { Environment } from "../../shared/env.ts";
import type { SealedBox } from "../../shared/sealed-box.ts";
import type { ConfiguredMailer } from "./configured-mailer.ts";
import type { Target, TargetChoice } from "./target.ts";
import type { Terminal } from "./terminal.ts";
import type { Wrangler } from "./wrangler.ts";

/** The dependencies of a command. */
export interface CommandContext {
  /** Text, or JSON under `--json`. */
  out(): Output;
  env: Environment;
  /** The current folder. */
  folder: string;
  /** Whether the command's options name a D1 database. */
  hasD1(): boolean;
  /** The database that the command's options and the variables name. */
  openTarget(options?: Omit<TargetChoice, "d1">): Promise<Target>;
  /** The box of `TOKEN_ENCRYPTION_KEY`. */
  createConfiguredBox(): Promise<SealedBox>;
  /** The mail transport of the server. */
  createConfiguredMailer(): Promise<ConfiguredMailer>;
  /** The program that deploys Workers. */
  wrangler: Wrangler;
  terminal: Terminal;
  fetch: typeof fetch;
  clock: Clock;
  timers: Timers;
  /** Ends a long command between two steps. */
  signal: AbortSignal;
}
