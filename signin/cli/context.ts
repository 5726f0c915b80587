import type { Output } from "../../shared/cli/output.ts";
import type { SealedBox } from "../../shared/sealed-box.ts";
import type { ConfiguredMailer } from "./configured-mailer.ts";
import type { Target } from "./target.ts";
import type { Wrangler } from "./wrangler.ts";

/** The dependencies of a command. */
export interface CommandContext {
  /** Text, or JSON under `--json`. */
  out(): Output;
  /** The embedded database, or the server of `DATABASE_URL`. `create`: creates a missing file. */
  openTarget(options?: { create?: boolean }): Promise<Target>;
  /** The box of `TOKEN_ENCRYPTION_KEY`. */
  createConfiguredBox(): Promise<SealedBox>;
  /** The mail transport of the server. */
  createConfiguredMailer(): Promise<ConfiguredMailer>;
  /** The program that deploys Workers. */
  wrangler: Wrangler;
  /** Ends a long command between two steps. */
  signal: AbortSignal;
}
