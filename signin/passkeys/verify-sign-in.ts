import { type Bytes, concatBytes, fromBase64Url, utf8 } from "../../shared/bytes.ts";
import { equalsConstantTime } from "../../shared/constant-time.ts";
import type { RelyingParty } from "../config/relying-party.ts";
import { parseAuthenticatorData, requireOwnAuthenticator } from "./authenticator-data.ts";
import { type ClientData, requireOwnCeremony } from "./client-data.ts";
import { importCoseKey } from "./cose-key.ts";
import { PasskeyFault } from "./fault.ts";
import type { KnownPasskey, PasskeyUse } from "./store.ts";
import type { AuthenticationResponse } from "./wire.ts";

/**
 * The checks of a sign-in (WebAuthn, section 7.2) beside those of its challenge and its counter, which the statement that
 * stores them decides. @throws PasskeyFault
 */
export async function verifySignIn(
  { response }: AuthenticationResponse,
  clientData: ClientData,
  { passkey, party }: { passkey: KnownPasskey; party: RelyingParty },
): Promise<PasskeyUse> {
  const { userHandle, authenticatorData, signature } = response;
  if (!userHandle || !equalsConstantTime(userHandle, utf8(passkey.userId))) {
    throw new PasskeyFault("user_handle", "it is missing, or of another account");
  }
  requireOwnCeremony(clientData, "webauthn.get", party);
  const data = parseAuthenticatorData(authenticatorData);
  await requireOwnAuthenticator(data, party.id);
  if (data.backupEligible !== passkey.backupEligible) {
    throw new PasskeyFault("backup_flags", "the backup eligibility has changed");
  }
  await requireSignature(passkey, signature, concatBytes([authenticatorData, clientData.hash]));
  return { counter: data.counter, backedUp: data.backedUp };
}

async function requireSignature(
  { publicKey }: KnownPasskey,
  signature: Bytes,
  signed: Bytes,
): Promise<void> {
  // The registration stored it. One of an earlier version may be weak.
  const key = await importCoseKey(fromBase64Url(publicKey) ?? new Uint8Array());
  if (!(await key.verify(signature, signed))) {
    throw new PasskeyFault("signature", "it is not of this passkey's key");
  }
}
