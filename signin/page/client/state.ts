import { signal } from "@preact/signals";
import type { Me } from "../../accounts/wire.ts";
import type { ProofWay } from "../../errors.ts";
import { type Account, readAccount } from "./account/account-data.ts";
import { Session, type Tokens, toSentence } from "./api.ts";
import { canUsePasskeys } from "./webauthn.ts";
import { hasMail, texts } from "./words.ts";
import { byId } from "./written.ts";

const VIEWS = ["sign-in", "sign-up", "reset", "code"] as const;

/** The views without a session, as the address names them after `#`. With a session there is `#account` alone. */
export type ViewName = (typeof VIEWS)[number];

/** The button that has the focus, by its section and its name. */
export interface Focused {
  section: string;
  name: string | null;
}

/** The view of the page. A new value is a new view, whose heading takes the focus. */
export type Shown =
  | { view: ViewName }
  /** `focused` is there if the same account was shown before. */
  | { view: "account"; account: Account; focused?: Focused | null }
  | { view: "account"; problem: string };

/** A question for a fresh proof of the account. */
export interface ProofRequest {
  ways: readonly ProofWay[];
  /** Where a code goes. */
  email: string;
  settle(isProven: boolean): void;
}

export const shown = signal<Shown>({ view: "sign-in" });
/** A sentence for every view, until the next action. */
export const notice = signal("");
/** The address that was typed last: the next form begins with it. */
export const typedEmail = signal("");
export const proofRequest = signal<ProofRequest | undefined>(undefined);
export const session = new Session(askForProof);

export function notify(text: string): void {
  notice.value = text;
}

/** Begins the session and shows the account. */
export async function enter(tokens: Tokens, text: string): Promise<void> {
  session.begin(tokens);
  await display();
  notify(text);
}

/** Ends what the page shows of the account. */
export async function leave(text: string): Promise<void> {
  await display("sign-in");
  notify(text);
}

/** Shows the view that the address names, or the account if there is a session. */
export async function display(wanted = location.hash.slice(1)): Promise<void> {
  if (!session.isOpen) {
    showView(wanted);
    return;
  }
  try {
    shown.value = { view: "account", account: await readAccount(session) };
  } catch (error) {
    const problem = toSentence(error);
    if (session.isOpen) shown.value = { view: "account", problem };
    else showView("sign-in");
    notify(problem);
  }
}

function showView(wanted: string): void {
  // All others mail a code.
  const possible = hasMail ? VIEWS : [];
  shown.value = { view: possible.find((each) => each === wanted) ?? "sign-in" };
}

/** Sends a change of the account, shows the account again, and says what was done. @throws Refusal */
export function change(done: string, ...request: Parameters<Session["call"]>): Promise<void> {
  return changeBy(done, () => session.call(...request));
}

/** The same for a change that takes more than one request. @throws Refusal */
export function changeBy(done: string, work: () => Promise<unknown>): Promise<void> {
  return whileSignedIn(async () => {
    notify("");
    await work();
    if (!session.isOpen) return leave(texts.failures.session_expired);
    const account = await readAccount(session);
    shown.value = { view: "account", account, focused: describeFocus() };
    notify(done);
  });
}

/** If the session has ended meanwhile, the page says so at the sign-in. @throws Refusal */
export async function whileSignedIn(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (session.isOpen) throw error;
    await leave(toSentence(error));
  }
}

/** Asks for a fresh proof in one of these ways. Resolves to whether the server has it now. @throws Refusal */
async function askForProof(ways: readonly ProofWay[]): Promise<boolean> {
  const usable = ways.filter((way) => way !== "passkey" || canUsePasskeys());
  if (usable.length === 0) return false;
  const { email } = ways.includes("code")
    ? await session.call<Me>("GET", "/auth/me")
    : { email: "" };
  proofRequest.value?.settle(false);
  return new Promise((resolve) => {
    const settle = (isProven: boolean) => {
      proofRequest.value = undefined;
      resolve(isProven);
    };
    proofRequest.value = { ways: usable, email, settle };
  });
}

function describeFocus(): Focused | null {
  const focused = document.activeElement;
  if (!focused || !byId("view").contains(focused)) return null;
  return { section: focused.closest("section")?.id ?? "", name: nameOf(focused) };
}

/** The name of a button, as a screen reader says it. */
export function nameOf(button: Element): string | null {
  return button.getAttribute("aria-label") ?? button.textContent;
}
