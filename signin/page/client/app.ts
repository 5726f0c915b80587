import type { Session, Tokens } from "./api.ts";
import type { Child } from "./dom.ts";

/** The views without a session, as the address names them after `#`. With one there is `#account` alone. */
export const VIEWS = ["sign-in", "sign-up", "reset", "code"] as const;
export type ViewName = (typeof VIEWS)[number];

/** What views and forms do beyond their own elements. */
export interface App {
  readonly session: Session;
  /** The address that was typed last: the next form begins with it. */
  email: string;
  /** Begins the session and shows the account. */
  enter(tokens: Tokens, notice: string): Promise<void>;
  /** Shows the account as it is now, or the sign-in where the session has ended. @throws Refusal */
  refresh(): Promise<void>;
  /** Ends what the page shows of the account. */
  leave(notice: string): Promise<void>;
  /** Shows a step of the present view; the focus goes to its heading. */
  show(children: readonly Child[]): void;
  /** A sentence for every view, until the next action. */
  notify(text: string): void;
}
