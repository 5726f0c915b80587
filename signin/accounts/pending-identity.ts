import { toBase64Url } from "../../shared/bytes.ts";
import { SealBroken } from "../../shared/sealed-box.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import { pendingCookie, readPendingCookie } from "../http/cookies.ts";
import { PENDING_AVATAR_URL_CHARACTERS_MAX, PENDING_IDENTITY_LIFETIME_SEC } from "../limits.ts";
import type { ProvenIdentity } from "./identities.ts";

/**
 * An identity whose sign-in is not done: its address is yet to be proven with a mailed code, or the second factor of its account
 * is yet to be entered. No row has this, and it has no session: it is sealed in a cookie of the browser that the provider sent
 * back. The account or the session that it makes uses its nonce up.
 */
export interface PendingIdentity {
  provider: string;
  issuer: string;
  subject: string;
  /** The address that the provider reports, for the form. It proves nothing. */
  claimedEmail?: string | undefined;
  displayName?: string | undefined;
  avatarUrl?: string | undefined;
  nonceHash: string;
  /** Unix seconds. */
  nonceExpiresAt: number;
}

const CONTEXT = "signin|pending-identity";
const NONCE_BYTES = 32;

/** The cookie that keeps the identity for ten minutes. */
export async function startPending(
  { keyring, config, clock, random }: Pick<Scope, "keyring" | "config" | "clock" | "random">,
  { provider, issuer, identity }: ProvenIdentity,
): Promise<string> {
  const { subject, claimedEmail, displayName, avatarUrl } = identity;
  const isShort = avatarUrl && avatarUrl.length <= PENDING_AVATAR_URL_CHARACTERS_MAX;
  const pending: PendingIdentity = {
    ...{ provider, issuer, subject, claimedEmail, displayName },
    avatarUrl: isShort ? avatarUrl : undefined,
    nonceHash: toBase64Url(random(NONCE_BYTES)),
    nonceExpiresAt: unixNow(clock) + PENDING_IDENTITY_LIFETIME_SEC,
  };
  return pendingCookie(config, await (await keyring.box()).seal(JSON.stringify(pending), CONTEXT));
}

/** The pending identity of a browser; undefined if it has none. */
export async function findPending(
  { keyring, config, clock }: Pick<Scope, "keyring" | "config" | "clock">,
  headers: Headers,
): Promise<PendingIdentity | undefined> {
  const sealed = readPendingCookie(config, headers);
  if (sealed === undefined) return undefined;
  try {
    // This server sealed it.
    const pending = JSON.parse(
      await (await keyring.box()).open(sealed, CONTEXT),
    ) as PendingIdentity;
    return pending.nonceExpiresAt > unixNow(clock) ? pending : undefined;
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

/** @throws SigninError `state_expired` if the browser has none */
export async function getPending(
  deps: Pick<Scope, "keyring" | "config" | "clock">,
  headers: Headers,
): Promise<PendingIdentity> {
  const pending = await findPending(deps, headers);
  if (!pending) throw failure("state_expired");
  return pending;
}
