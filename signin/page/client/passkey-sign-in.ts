import { Refusal, type Tokens } from "./api.ts";
import type { App } from "./app.ts";
import { toSentence } from "./form.ts";
import { texts } from "./words.ts";

// Before the challenge of five minutes expires.
const OFFER_AGAIN_MS = 4 * 60_000;

/** Signs in with a passkey: on the e-mail field, or by a button. What goes wrong is written into `problem`. */
export interface PasskeySignIn {
  /** Offers passkeys on a field when it has the focus, until one is used or `stop` is called. */
  offer(field: HTMLInputElement, problem: HTMLElement): void;
  stop(): void;
  signIn(problem: HTMLElement): Promise<void>;
}

export function createPasskeySignIn(app: App): PasskeySignIn {
  let offered: AbortController | undefined;
  const stop = () => {
    offered?.abort();
    offered = undefined;
  };
  let shown: HTMLInputElement | undefined;
  const offer = (field: HTMLInputElement, problem: HTMLElement) => {
    stop();
    shown = field;
    if (!canUsePasskeys()) return;
    offered = new AbortController();
    const { signal } = offered;
    const begin = () =>
      void offerOnField(app, { problem, signal, again: () => offer(field, problem) });
    // A page that is only open asks the server for nothing.
    if (document.activeElement === field) begin();
    else field.addEventListener("focus", begin, { once: true, signal });
  };
  return {
    offer,
    stop,
    async signIn(problem) {
      stop();
      problem.textContent = "";
      try {
        const credential = await getCredential(app, {}).catch(explainPasskey);
        await finishSignIn(app, credential);
      } catch (error) {
        problem.textContent = toSentence(error);
        if (shown) offer(shown, problem);
      }
    },
  };
}

/** Browsers refuse passkeys on an IP address. */
export function canUsePasskeys(): boolean {
  const isAddress = /^(\[.*\]|[\d.]+)$/.test(location.hostname);
  if (isAddress || typeof PublicKeyCredential !== "function") return false;
  return typeof PublicKeyCredential.parseRequestOptionsFromJSON === "function";
}

interface Offer {
  problem: HTMLElement;
  signal: AbortSignal;
  again(): void;
}

/** The passkeys that the browser shows with the suggestions of the e-mail field. */
async function offerOnField(app: App, { problem, signal, again }: Offer): Promise<void> {
  const timer = setTimeout(again, OFFER_AGAIN_MS);
  signal.addEventListener("abort", () => clearTimeout(timer));
  let credential: unknown;
  try {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return;
    credential = await getCredential(app, { signal, mediation: "conditional" });
  } catch {
    // Nothing was asked for: the button beside the field says what is wrong.
    return;
  }
  try {
    await finishSignIn(app, credential);
  } catch (error) {
    problem.textContent = toSentence(error);
    if (!signal.aborted) again();
  }
}

/** The response of a passkey to a challenge of the server. @throws DOMException, Refusal */
export async function getCredential(
  { session }: App,
  how: CredentialRequestOptions,
): Promise<unknown> {
  // The type is the server's wire.
  const options = await session.call<PublicKeyCredentialRequestOptionsJSON>(
    "POST",
    "/auth/passkey/options",
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return credentialJson(await navigator.credentials.get({ ...how, publicKey }));
}

async function finishSignIn(app: App, credential: unknown): Promise<void> {
  const tokens = await app.session.call<Tokens>("POST", "/auth/passkey", { credential });
  app.session.forgetTab();
  await app.enter(tokens, texts.signedIn);
}

/** What the server reads of a credential. */
export function credentialJson(credential: Credential | null): unknown {
  return credential instanceof PublicKeyCredential ? credential.toJSON() : null;
}

/** The browser's refusals as sentences for a person. */
export function explainPasskey(error: unknown): never {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "InvalidStateError") throw new Refusal(texts.passkeyHere);
  if (name === "NotAllowedError" || name === "AbortError") throw new Refusal(texts.passkeyNone);
  if (name === "SecurityError") throw new Refusal(texts.passkeyElsewhere);
  throw error;
}
