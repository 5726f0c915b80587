import { type Act, Refusal, type Session, type Tokens } from "./api.ts";
import { button, byId, element, fieldsOf, shortTime } from "./dom.ts";

interface Passkey {
  id: string;
  label: string;
  created_at: string;
  last_used_at: string | null;
  backed_up: boolean;
}

// Before the challenge of five minutes expires.
const OFFER_AGAIN_MS = 4 * 60_000;

/** The passkeys of the page. Browsers that cannot use any get the list alone. */
export interface PasskeyView {
  /** Offers passkeys on the e-mail field, until one is used or `stop` is called. */
  offer(): void;
  stop(): void;
  /** Fills the list of the account. @throws Refusal */
  show(): Promise<void>;
}

/** Wires the buttons of page.html that concern passkeys. */
export function wirePasskeys(session: Session, act: Act): PasskeyView {
  const canUse = isSupported();
  let offered: AbortController | undefined;
  const stop = () => {
    offered?.abort();
    offered = undefined;
  };
  const offerAgain = () => {
    stop();
    if (!canUse) return;
    offered = new AbortController();
    void offerOnField(session, act, { offered, again: offerAgain });
  };
  byId("passkey-sign-in", HTMLElement).hidden = !canUse;
  byId("passkey-add", HTMLButtonElement).hidden = !canUse;
  byId("passkey-unsupported", HTMLElement).hidden = canUse;
  onPress("passkey-sign-in-button", async () => {
    stop();
    await act(() => signIn(session, {}));
    if (!session.isOpen) offerAgain();
  });
  onPress("passkey-add", () => act(() => add(session)));
  return {
    offer: () => {
      if (!offered) offerAgain();
    },
    stop,
    show: () => showList(session, act),
  };
}

/** Browsers refuse passkeys on an IP address. */
function isSupported(): boolean {
  const isAddress = /^(\[.*\]|[\d.]+)$/.test(location.hostname);
  if (isAddress || typeof PublicKeyCredential !== "function") return false;
  return typeof PublicKeyCredential.parseRequestOptionsFromJSON === "function";
}

/** The passkeys that the browser shows with the suggestions of the e-mail field. */
async function offerOnField(
  session: Session,
  act: Act,
  { offered: { signal }, again }: { offered: AbortController; again: () => void },
): Promise<void> {
  const timer = setTimeout(again, OFFER_AGAIN_MS);
  signal.addEventListener("abort", () => clearTimeout(timer));
  try {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return;
    const credential = await getCredential(session, { signal, mediation: "conditional" });
    await act(() => finishSignIn(session, credential));
    if (!session.isOpen && !signal.aborted) again();
  } catch {
    // Nothing was asked for: the button beside the field says what is wrong.
  }
}

async function signIn(session: Session, how: CredentialRequestOptions): Promise<string> {
  const credential = await getCredential(session, how).catch(explain);
  return finishSignIn(session, credential);
}

async function getCredential(session: Session, how: CredentialRequestOptions): Promise<unknown> {
  // The type is the server's wire.
  const options = await session.call<PublicKeyCredentialRequestOptionsJSON>(
    "POST",
    "/auth/passkey/options",
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return toJson(await navigator.credentials.get({ ...how, publicKey }));
}

async function finishSignIn(session: Session, credential: unknown): Promise<string> {
  const tokens = await session.call<Tokens>("POST", "/auth/passkey", { credential });
  session.forgetTab();
  session.begin(tokens);
  return "You are signed in.";
}

async function add(session: Session): Promise<string> {
  const options = await session.call<PublicKeyCredentialCreationOptionsJSON>(
    "POST",
    "/auth/passkeys/options",
  );
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey }).then(toJson, explain);
  await session.call("POST", "/auth/passkeys", { credential });
  return "The passkey is added.";
}

function toJson(credential: Credential | null): unknown {
  return credential instanceof PublicKeyCredential ? credential.toJSON() : null;
}

/** The browser's refusals as sentences for a person. */
function explain(error: unknown): never {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "InvalidStateError") {
    throw new Refusal(0, "This device has a passkey of your account already.");
  }
  if (name === "NotAllowedError" || name === "AbortError") {
    throw new Refusal(0, "No passkey was used. Try again, or choose another way.");
  }
  if (name === "SecurityError") {
    throw new Refusal(0, "Passkeys of this server do not belong to the address of this page.");
  }
  throw error;
}

async function showList(session: Session, act: Act): Promise<void> {
  const { passkeys } = await session.call<{ passkeys: Passkey[] }>("GET", "/auth/passkeys");
  byId("passkeys", HTMLElement).replaceChildren(
    ...passkeys.map((passkey) => toRow(session, act, passkey)),
  );
}

function toRow(session: Session, act: Act, passkey: Passkey): HTMLElement {
  const { label, created_at, last_used_at, backed_up } = passkey;
  const path = `/auth/passkeys/${encodeURIComponent(passkey.id)}`;
  const row = element("li");
  const used = last_used_at === null ? "never used" : `last used ${shortTime(last_used_at)}`;
  const place = backed_up ? "synchronized" : "on one device";
  row.append(
    element("span", label),
    element("span", `${place}, since ${shortTime(created_at)}, ${used}`, "soft"),
    renameForm(session, act, { path, label }),
    button("Remove", `Remove the passkey ${label}`, () =>
      act(async () => {
        await session.call("DELETE", path);
        return "The passkey is removed. Delete it on the device, too.";
      }),
    ),
  );
  return row;
}

function renameForm(
  session: Session,
  act: Act,
  { path, label }: { path: string; label: string },
): HTMLElement {
  const form = element("form");
  const named = element("label", `New name for ${label}`);
  const input = element("input");
  Object.assign(input, { name: "label", value: label, maxLength: 100, required: true });
  named.append(input);
  form.append(named, element("button", "Rename"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void act(async () => {
      await session.call("PATCH", path, fieldsOf(form));
      return "The passkey is renamed.";
    });
  });
  return form;
}

function onPress(id: string, press: () => Promise<void>): void {
  byId(id, HTMLButtonElement).addEventListener("click", () => void press());
}
