import { signal } from "@preact/signals";
import { type Account, readAccount } from "./account/account-data.ts";
import { toSentence } from "./failures.ts";
import { beginSession, call, isSignedIn, type Tokens } from "./session.ts";
import { canSignUp, hasMail, pending, texts } from "./words.ts";

const VIEWS = ["sign-in", "sign-up", "reset", "code", "finish", "factor"] as const;

// A view without a session, and without a sign-in that has begun.
const MAILING_VIEWS = ["sign-up", "reset", "code"] as const;

/** The views without a session, as the address names them after `#`. With a session there is `#account` alone. */
export type ViewName = (typeof VIEWS)[number];

/** The view of the page. A new value is a new view, whose heading takes the focus. */
export type Shown =
  | { view: ViewName }
  /** `section` is that of the last change, by its id. */
  | { view: "account"; account: Account; section?: string | undefined }
  | { view: "account"; problem: string };

export const shown = signal<Shown>({ view: "sign-in" });
/** A sentence for every view, until the next action. */
export const notice = signal("");
/** The address that was typed last: the next form begins with it. */
export const typedEmail = signal(pending?.email ?? "");

/** What a change resolves with once it is made: its form closes. */
export const CHANGED = "changed";

/** Begins the session and shows the account. */
export async function enter(tokens: Tokens, text: string): Promise<void> {
  beginSession(tokens);
  await display();
  notice.value = text;
}

/** Ends what the page shows of the account. */
export async function leave(text: string): Promise<void> {
  await display("sign-in");
  notice.value = text;
}

/** Shows the view that the address names, or the account if there is a session. */
export async function display(wanted = location.hash.slice(1)): Promise<void> {
  // A sign-in that has begun comes before an earlier session.
  if (pending && (wanted === "finish" || wanted === "factor")) {
    shown.value = { view: wanted };
    return;
  }
  if (isSignedIn.value) {
    try {
      shown.value = { view: "account", account: await readAccount() };
      return;
    } catch (error) {
      notice.value = toSentence(error);
      if (isSignedIn.value) shown.value = { view: "account", problem: notice.value };
    }
  }
  if (isSignedIn.value) return;
  // All others mail a code.
  const possible = hasMail ? MAILING_VIEWS.filter((each) => each !== "sign-up" || canSignUp) : [];
  shown.value = { view: possible.find((each) => each === wanted) ?? "sign-in" };
}

/** Sends a change of the account, shows the account again, and says what was done. @throws SigninError */
export function change(done: string, ...request: Parameters<typeof call>): Promise<unknown> {
  return changeBy(done, () => call(...request));
}

/** The same for a change that takes more than one request. @throws SigninError, DOMException */
export function changeBy(done: string, work: () => Promise<unknown>): Promise<unknown> {
  const section = document.activeElement?.closest("section")?.id;
  return whileSignedIn(async () => {
    notice.value = "";
    await work();
    if (!isSignedIn.value) return leave(texts.failures.session_expired);
    shown.value = { view: "account", account: await readAccount(), section };
    notice.value = done;
    return CHANGED;
  });
}

/** If the session has ended meanwhile, the page says so at the sign-in. @throws SigninError, DOMException */
export async function whileSignedIn(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (isSignedIn.value) throw error;
    return leave(toSentence(error));
  }
}
