import { type Bytes, sha256 } from "../../shared/bytes.ts";
import { equalsConstantTime } from "../../shared/constant-time.ts";
import { CREDENTIAL_ID_BYTES_MAX } from "../limits.ts";
import { decodeCbor } from "./cbor.ts";
import { PasskeyFault } from "./fault.ts";

/** What an authenticator says of itself (WebAuthn, section 6.1). */
interface AuthenticatorData {
  rpIdHash: Bytes;
  userPresent: boolean;
  userVerified: boolean;
  backupEligible: boolean;
  backedUp: boolean;
  counter: number;
  /** Of a registration. */
  credential: { id: Bytes; publicKey: Bytes } | undefined;
}

const FLAGS = {
  userPresent: 0x01,
  userVerified: 0x04,
  backupEligible: 0x08,
  backedUp: 0x10,
  credential: 0x40,
  extensions: 0x80,
};
const RP_ID_HASH_BYTES = 32;
const HEAD_BYTES = RP_ID_HASH_BYTES + 5;
const AAGUID_BYTES = 16;

/** @throws PasskeyFault `authenticator_data` */
export function parseAuthenticatorData(bytes: Bytes): AuthenticatorData {
  if (bytes.length < HEAD_BYTES) throw badData("it is too short");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flags = view.getUint8(RP_ID_HASH_BYTES);
  const has = (flag: keyof typeof FLAGS) => (flags & FLAGS[flag]) !== 0;
  const { credential, end } = has("credential")
    ? parseCredential(bytes, view)
    : { credential: undefined, end: HEAD_BYTES };
  const total = has("extensions") ? skipCbor(bytes, end) : end;
  if (total !== bytes.length) throw badData("there are bytes behind its end");
  return {
    rpIdHash: bytes.slice(0, RP_ID_HASH_BYTES),
    userPresent: has("userPresent"),
    userVerified: has("userVerified"),
    backupEligible: has("backupEligible"),
    backedUp: has("backedUp"),
    counter: view.getUint32(RP_ID_HASH_BYTES + 1),
    credential,
  };
}

/** The rules that registrations and sign-ins share. @throws PasskeyFault */
export async function requireOwnAuthenticator(
  data: AuthenticatorData,
  rpId: string,
): Promise<void> {
  if (!equalsConstantTime(data.rpIdHash, await sha256(rpId))) {
    throw new PasskeyFault("rp_id", "the passkey is of another domain");
  }
  if (!data.userPresent) throw new PasskeyFault("user_presence", "no user was present");
  if (!data.userVerified) throw new PasskeyFault("user_verification", "no user was verified");
  if (data.backedUp && !data.backupEligible) {
    throw new PasskeyFault("backup_flags", "a passkey that cannot be backed up says that it is");
  }
}

function parseCredential(bytes: Bytes, view: DataView) {
  const idAt = HEAD_BYTES + AAGUID_BYTES + 2;
  if (bytes.length < idAt) throw badData("it has no whole credential");
  const idLength = view.getUint16(idAt - 2);
  if (idLength === 0 || idLength > CREDENTIAL_ID_BYTES_MAX) throw badData("its id is too long");
  const keyAt = idAt + idLength;
  const end = skipCbor(bytes, keyAt);
  const credential = { id: bytes.slice(idAt, keyAt), publicKey: bytes.slice(keyAt, end) };
  return { credential, end };
}

function skipCbor(bytes: Bytes, start: number): number {
  try {
    const { value, end } = decodeCbor(bytes, start);
    if (value instanceof Map) return end;
  } catch (error) {
    throw badData(String(error));
  }
  throw badData("a part of it is not a map");
}

function badData(message: string): PasskeyFault {
  return new PasskeyFault("authenticator_data", message);
}
