import { Refusal } from "./api.ts";
import { texts } from "./words.ts";

/** Whether this browser has passkeys here. Browsers refuse them on an IP address. */
export function canUsePasskeys(): boolean {
  const isAddress = /^(\[.*\]|[\d.]+)$/.test(location.hostname);
  if (isAddress || typeof PublicKeyCredential !== "function") return false;
  return typeof PublicKeyCredential.parseRequestOptionsFromJSON === "function";
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
