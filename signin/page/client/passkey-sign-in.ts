import type { Signal } from "@preact/signals";
import { type Tokens, toSentence } from "./api.ts";
import { enter, session } from "./state.ts";
import { canUsePasskeys, credentialJson, explainPasskey } from "./webauthn.ts";
import { texts } from "./words.ts";

// Before the challenge of five minutes expires.
const OFFER_AGAIN_MS = 4 * 60_000;

/** Signs in with a passkey: on a field that has the focus, or by a button. What goes wrong is written into `problem`. */
export class PasskeySignIn {
  #offered = new AbortController();
  readonly #field: HTMLInputElement;
  readonly #problem: Signal<string>;

  /** Offers passkeys on the field from now on, until one is used or `stop` is called. */
  constructor(field: HTMLInputElement, problem: Signal<string>) {
    this.#field = field;
    this.#problem = problem;
    this.#offer();
  }

  stop(): void {
    this.#offered.abort();
  }

  async signIn(): Promise<void> {
    this.stop();
    this.#problem.value = "";
    try {
      await finishSignIn(await getCredential({}).catch(explainPasskey));
    } catch (error) {
      this.#problem.value = toSentence(error);
      this.#offer();
    }
  }

  #offer(): void {
    this.stop();
    this.#offered = new AbortController();
    if (!canUsePasskeys()) return;
    const { signal } = this.#offered;
    const begin = () => void this.#offerOnField(signal);
    // A page that is only open asks the server for nothing.
    if (document.activeElement === this.#field) begin();
    else this.#field.addEventListener("focus", begin, { once: true, signal });
  }

  /** The passkeys that the browser shows with the suggestions of the e-mail field. */
  async #offerOnField(signal: AbortSignal): Promise<void> {
    const timer = setTimeout(() => this.#offer(), OFFER_AGAIN_MS);
    signal.addEventListener("abort", () => clearTimeout(timer));
    let credential: unknown;
    try {
      if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return;
      credential = await getCredential({ signal, mediation: "conditional" });
    } catch {
      // Nothing was asked for: the button beside the field says what is wrong.
      return;
    }
    try {
      await finishSignIn(credential);
    } catch (error) {
      this.#problem.value = toSentence(error);
      if (!signal.aborted) this.#offer();
    }
  }
}

/** The response of a passkey to a challenge of the server. @throws DOMException, Refusal */
export async function getCredential(how: CredentialRequestOptions): Promise<unknown> {
  // The type is the server's wire.
  const options = await session.call<PublicKeyCredentialRequestOptionsJSON>(
    "POST",
    "/auth/passkey/options",
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return credentialJson(await navigator.credentials.get({ ...how, publicKey }));
}

async function finishSignIn(credential: unknown): Promise<void> {
  const tokens = await session.call<Tokens>("POST", "/auth/passkey", { credential });
  session.forgetTab();
  await enter(tokens, texts.signedIn);
}
