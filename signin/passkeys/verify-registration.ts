import { type Bytes, concatBytes, toBase64Url } from "../../shared/bytes.ts";
import type { RelyingParty } from "../config/relying-party.ts";
import { parseAuthenticatorData, requireOwnAuthenticator } from "./authenticator-data.ts";
import { type CborMap, type CborValue, decodeCborMap } from "./cbor.ts";
import { type ClientData, requireOwnCeremony } from "./client-data.ts";
import { type CoseKey, importCoseKey } from "./cose-key.ts";
import { requireCredential } from "./credential.ts";
import { PasskeyFault } from "./fault.ts";
import type { RegistrationResponse } from "./wire.ts";

/** A credential that an authenticator made for this relying party. */
export interface NewCredential {
  credentialId: string;
  publicKey: string;
  counter: number;
  backupEligible: boolean;
  backedUp: boolean;
}

/** The checks of a registration (WebAuthn, section 7.1) beside those of its challenge. @throws PasskeyFault */
export async function verifyRegistration(
  credential: RegistrationResponse,
  clientData: ClientData,
  party: RelyingParty,
): Promise<NewCredential> {
  requireCredential(credential);
  const { id: credentialId } = credential;
  requireOwnCeremony(clientData, "webauthn.create", party);
  const attestation = parseAttestation(credential.response.attestationObject);
  const data = parseAuthenticatorData(attestation.authData);
  await requireOwnAuthenticator(data, party.id);
  if (!data.credential || toBase64Url(data.credential.id) !== credentialId) {
    throw new PasskeyFault("credential", "the authenticator made another credential");
  }
  const key = await importCoseKey(data.credential.publicKey);
  await requireAttestation(attestation, key, clientData.hash);
  return {
    credentialId,
    publicKey: toBase64Url(data.credential.publicKey),
    counter: data.counter,
    backupEligible: data.backupEligible,
    backedUp: data.backedUp,
  };
}

interface Attestation {
  fmt: CborValue | undefined;
  statement: CborMap;
  authData: Bytes;
}

function parseAttestation(bytes: Bytes): Attestation {
  const map = readAttestationMap(bytes);
  const [statement, authData] = [map.get("attStmt"), map.get("authData")];
  if (!(statement instanceof Map) || !(authData instanceof Uint8Array)) {
    throw new PasskeyFault("attestation", "attStmt or authData is missing");
  }
  return { fmt: map.get("fmt"), statement, authData };
}

function readAttestationMap(bytes: Bytes): CborMap {
  try {
    return decodeCborMap(bytes);
  } catch (error) {
    throw new PasskeyFault("attestation", String(error));
  }
}

/** None was requested. Browsers pass on a self attestation all the same, whose signature is then checked. */
async function requireAttestation(
  { fmt, statement, authData }: Attestation,
  key: CoseKey,
  clientDataHash: Bytes,
): Promise<void> {
  if (fmt === "none" && statement.size === 0) return;
  const signature = statement.get("sig");
  const isSelf =
    fmt === "packed" && !statement.has("x5c") && statement.get("alg") === key.algorithm;
  if (!isSelf || !(signature instanceof Uint8Array)) {
    throw new PasskeyFault("attestation", "it must be none, as requested");
  }
  if (!(await key.verify(signature, concatBytes([authData, clientDataHash])))) {
    throw new PasskeyFault("attestation", "its signature is not of the new key");
  }
}
