import { Batch } from "../../shared/batch.ts";
import { sha256, toBase64Url } from "../../shared/bytes.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { readPasskeyBinding } from "../http/cookies.ts";
import { consumeChallengeStatement } from "./challenge-store.ts";
import { type ClientData, parseClientData } from "./client-data.ts";
import { requireCredential } from "./credential.ts";
import { PasskeyFault } from "./fault.ts";
import {
  type KnownPasskey,
  type PasskeyUse,
  selectPasskeyStatement,
  toKnownPasskey,
} from "./store.ts";
import { verifySignIn } from "./verify-sign-in.ts";
import type { AuthenticationResponse } from "./wire.ts";

export type CredentialDeps = Pick<Scope, "db" | "clock" | "config" | "relyingParty">;

/** A passkey and its response to a challenge, in the browser that `headers` are of. */
interface CredentialAnswer {
  credential: AuthenticationResponse;
  headers: Headers;
  /** Gets the passkey before its response is checked: a refusal is recorded for its account. */
  onFound?(passkey: KnownPasskey): void;
}

/** Checks the response of a passkey. An attempt spends its challenge. The caller's batch stores the use. @throws PasskeyFault */
export async function proveCredential(
  deps: CredentialDeps,
  { credential, headers, onFound }: CredentialAnswer,
): Promise<{ passkey: KnownPasskey; use: PasskeyUse }> {
  const party = deps.relyingParty();
  const clientData = await parseClientData(credential.response.clientDataJSON);
  const wanted = { credentialId: toBase64Url(credential.rawId), rpId: party.id };
  const passkey = await findSpendingChallenge(deps, clientData, { headers, wanted });
  if (passkey) onFound?.(passkey);
  requireCredential(credential);
  if (!passkey) throw new PasskeyFault("unknown_passkey", "no account has it");
  return { passkey, use: await verifySignIn(credential, clientData, { passkey, party }) };
}

/** One batch: it consumes the challenge, and finds the passkey of the credential. @throws PasskeyFault `challenge` */
async function findSpendingChallenge(
  { db, clock, config }: CredentialDeps,
  { challengeHash }: ClientData,
  { headers, wanted }: { headers: Headers; wanted: { credentialId: string; rpId: string } },
): Promise<KnownPasskey | undefined> {
  const binding = readPasskeyBinding(config, headers);
  if (!binding) throw new PasskeyFault("challenge", "the browser sent no binding cookie");
  const bindingHash = toBase64Url(await sha256(binding));
  const now = unixNow(clock);
  const batch = new Batch();
  const consumed = batch.add(consumeChallengeStatement(challengeHash, { bindingHash }, now));
  const found = batch.add(selectPasskeyStatement(wanted));
  await batch.run(db);
  if (consumed().length === 0) {
    throw new PasskeyFault("challenge", "it is not pending in this browser, or has expired");
  }
  const [row] = found();
  return row && toKnownPasskey(row);
}
