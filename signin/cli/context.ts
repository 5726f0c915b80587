import type { SealedBox } from "../../shared/sealed-box.ts";
import type { OpenMailer } from "./open-mailer.ts";
import type { Output } from "./output.ts";
import type { Target } from "./target.ts";

/** What every command may use. */
export interface CommandContext {
  /** As the operator asked for it: text or JSON. */
  out(): Output;
  /** The embedded database, or the server of `DATABASE_URL`. `create`: make the file where it is missing. */
  openTarget(options?: { create?: boolean }): Promise<Target>;
  /** The box of `TOKEN_ENCRYPTION_KEY`. */
  openBox(): Promise<SealedBox>;
  /** The mail transport of the server. */
  openMailer(): Promise<OpenMailer>;
  /** Ends long commands between two steps. */
  signal: AbortSignal;
}
