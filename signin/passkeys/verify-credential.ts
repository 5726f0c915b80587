import { Batch } from "../../shared/batch.ts";
import { toBase64Url } from "../../shared/bytes.ts";
import { consumeNonceStatement } from "../db/used-nonces.ts";
import type { Scope } from "../deps.ts";
import { readPasskeyBinding } from "../http/cookies.ts";
import { verifyChallenge } from "./challenge.ts";
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

export type CredentialDeps = Pick<Scope, "db" | "clock" | "config" | "keyring" | "relyingParty">;

/** A passkey and its response to a challenge, in the browser that `headers` are of. */
interface CredentialResponse {
  credential: AuthenticationResponse;
  headers: Headers;
  /** Gets the passkey before its response is checked: a refusal is recorded for its account. */
  onFound?(passkey: KnownPasskey): void;
}

/**
 * Checks the response of a passkey. An attempt with a known one uses its challenge up. The caller's batch stores the use.
 * @throws PasskeyFault
 */
export async function verifyCredential(
  deps: CredentialDeps,
  { credential, headers, onFound }: CredentialResponse,
): Promise<{ passkey: KnownPasskey; use: PasskeyUse }> {
  const party = deps.relyingParty();
  const clientData = await parseClientData(credential.response.clientDataJSON);
  requireCredential(credential);
  const wanted = { credentialId: toBase64Url(credential.rawId), rpId: party.id };
  const passkey = await getPasskey(deps, clientData, { headers, wanted });
  onFound?.(passkey);
  return { passkey, use: await verifySignIn(credential, clientData, { passkey, party }) };
}

/**
 * One batch: it finds the passkey of the credential, and uses the challenge up. Where no account has the passkey, nothing is
 * written: anyone can send such a response.
 * @throws PasskeyFault `challenge`, `unknown_passkey`
 */
async function getPasskey(
  deps: CredentialDeps,
  { challenge }: ClientData,
  { headers, wanted }: { headers: Headers; wanted: { credentialId: string; rpId: string } },
): Promise<KnownPasskey> {
  const binding = readPasskeyBinding(deps.config, headers);
  if (!binding) throw new PasskeyFault("challenge", "the browser sent no binding cookie");
  const nonce = await verifyChallenge(deps, challenge, { binding });
  const select = selectPasskeyStatement(wanted);
  const batch = new Batch();
  const used = batch.add(
    consumeNonceStatement(nonce, { ...select, sql: `EXISTS (${select.sql})` }),
  );
  const found = batch.add(select);
  await batch.run(deps.db);
  const [row] = found();
  if (!row) throw new PasskeyFault("unknown_passkey", "no account has it");
  if (used().length === 0) throw new PasskeyFault("challenge", "it was answered before");
  return toKnownPasskey(row);
}
