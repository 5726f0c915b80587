import type { Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { toSentence } from "./failures.ts";
import { call, canUsePasskeys, forgetTab, type Tokens } from "./session.ts";
import { enter } from "./state.ts";
import { texts } from "./words.ts";

// Before the challenge of five minutes expires.
const OFFER_AGAIN_MS = 4 * 60_000;

/**
 * Offers passkeys on a field while it has the focus, and returns what signs in by a button. What goes wrong is written into
 * `problem`.
 */
export function usePasskeys(
  field: RefObject<HTMLInputElement | null>,
  problem: Signal<string>,
): () => Promise<void> {
  const offered = useRef(new AbortController());
  const [round, setRound] = useState(0);
  const offerAgain = () => setRound((count) => count + 1);
  const signIn = async (credential: unknown) => {
    const tokens = await call<Tokens>("POST", "/auth/passkey", { credential });
    forgetTab();
    await enter(tokens, texts.signedIn);
  };
  const refuse = (error: unknown) => {
    problem.value = toSentence(error);
    offerAgain();
  };
  const offer = async (signal: AbortSignal) => {
    if (!canUsePasskeys()) return;
    const timer = setTimeout(offerAgain, OFFER_AGAIN_MS);
    signal.addEventListener("abort", () => clearTimeout(timer));
    if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return;
    // Nothing was asked for: the button beside the field says what is wrong.
    const none = () => undefined;
    const credential = await getCredential({ signal, mediation: "conditional" }).catch(none);
    if (credential !== undefined) await signIn(credential).catch(refuse);
  };
  useLayoutEffect(() => {
    offered.current = new AbortController();
    const { signal } = offered.current;
    const begin = () => void offer(signal);
    // A page that is only open asks the server for nothing.
    if (document.activeElement === field.current) begin();
    else field.current?.addEventListener("focus", begin, { once: true, signal });
    return () => offered.current.abort();
  }, [round]);
  return () => {
    offered.current.abort();
    problem.value = "";
    return getCredential({}).then(signIn).catch(refuse);
  };
}

/** The response of a passkey to a challenge of the server. @throws DOMException, SigninError */
export async function getCredential(how: CredentialRequestOptions): Promise<unknown> {
  // The type is the server's wire.
  const options = await call<PublicKeyCredentialRequestOptionsJSON>(
    "POST",
    "/auth/passkey/options",
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return credentialJson(await navigator.credentials.get({ ...how, publicKey }));
}

/** What the server reads of a credential. */
export function credentialJson(credential: Credential | null): unknown {
  return credential instanceof PublicKeyCredential ? credential.toJSON() : null;
}
