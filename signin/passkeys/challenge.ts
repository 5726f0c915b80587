import { type Bytes, concatBytes, sha256, toBase64Url, utf8 } from "../../shared/bytes.ts";
import { equalsConstantTime } from "../../shared/constant-time.ts";
import { unixNow } from "../db/time.ts";
import type { consumeNonceStatement } from "../db/used-nonces.ts";
import type { Scope } from "../deps.ts";
import { PASSKEY_CHALLENGE_BYTES, PASSKEY_CHALLENGE_LIFETIME_SEC } from "../limits.ts";
import { PasskeyFault } from "./fault.ts";

/** Who may answer a challenge: the user of a registration, or the browser of a sign-in, by its binding cookie. */
export type ChallengeOwner = { userId: string } | { binding: Bytes };

// Random bytes, the second in which it expires, and a MAC of both and of the owner: no row has it.
const RANDOM_BYTES = 12;
const SIGNED_BYTES = 16;

/** A challenge of this owner for five minutes, in base64url. Nothing is stored. */
export async function createChallenge(
  { keyring, clock, random }: Pick<Scope, "keyring" | "clock" | "random">,
  owner: ChallengeOwner,
): Promise<string> {
  const time = new Uint8Array(4);
  new DataView(time.buffer).setUint32(0, unixNow(clock) + PASSKEY_CHALLENGE_LIFETIME_SEC);
  const signed = concatBytes([random(RANDOM_BYTES), time]);
  const [mac] = await listMacs(keyring, signed, owner);
  if (!mac) throw new RangeError("A challenge needs a key.");
  return toBase64Url(concatBytes([signed, mac]));
}

/**
 * What `consumeNonceStatement` consumes for a challenge of this owner.
 * @throws PasskeyFault `challenge` if it is not this owner's, or has expired
 */
export async function verifyChallenge(
  { keyring, clock }: Pick<Scope, "keyring" | "clock">,
  challenge: Bytes,
  owner: ChallengeOwner,
): Promise<Parameters<typeof consumeNonceStatement>[0]> {
  const signed = challenge.slice(0, SIGNED_BYTES);
  const mac = challenge.slice(SIGNED_BYTES);
  const isOwn =
    challenge.length === PASSKEY_CHALLENGE_BYTES &&
    (await listMacs(keyring, signed, owner)).some((each) => equalsConstantTime(each, mac));
  const expiresAt = isOwn ? new DataView(signed.buffer).getUint32(RANDOM_BYTES) : 0;
  if (expiresAt <= unixNow(clock)) {
    throw new PasskeyFault("challenge", "it is not of this browser or account, or has expired");
  }
  return { nonceHash: toBase64Url(await sha256(challenge)), nonceExpiresAt: expiresAt };
}

async function listMacs(
  keyring: Scope["keyring"],
  signed: Bytes,
  owner: ChallengeOwner,
): Promise<Bytes[]> {
  const name = "userId" in owner ? utf8(`registration|${owner.userId}`) : owner.binding;
  const macs = await keyring.macs("passkey-challenge");
  const made = await Promise.all(macs.map((mac) => mac(concatBytes([signed, name]))));
  return made.map((bytes) => Uint8Array.from(bytes.subarray(0, SIGNED_BYTES)));
}
