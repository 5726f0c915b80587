import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import type { VerifiedIdentity } from "../providers/provider.ts";
import { type FollowDeps, followAddress } from "./follow-address.ts";
import { type NoticeDeps, sendNotice } from "./notice.ts";
import { findIdentity, insertUserWithIdentity, linkIdentity } from "./store.ts";

type IdentityDeps = Pick<Scope, "db" | "clock" | "record">;

/** An identity that a provider verified. */
export interface ProvenIdentity {
  provider: string;
  /** The issuer of the subject. */
  issuer: string;
  identity: VerifiedIdentity;
}

/**
 * The account of an identity. Its first sign-in creates it, for which the provider must report a verified address. Only the
 * provider's subject finds an account. An address never does: it may have changed hands since the account was created.
 * @throws SigninError `email_unverified`, `account_exists`, `identity_rejected`, `account_disabled`
 */
export async function resolveOrCreateAccount(
  deps: FollowDeps,
  { provider, issuer, identity }: ProvenIdentity,
): Promise<string> {
  const { subject, email: address, displayName, avatarUrl } = identity;
  const known = await findIdentity(deps.db, { provider, subject });
  if (known) {
    // The issuer gate has checked it, unless two configurations share a database.
    if (known.issuer !== null && known.issuer !== issuer) {
      throw failure("identity_rejected", `the identity is of the issuer ${known.issuer}`);
    }
    if (known.disabledAt !== null) throw failure("account_disabled");
    await followAddress(deps, known, { provider, identity });
    return known.userId;
  }
  if (!address) throw failure("email_unverified");
  const user = {
    id: crypto.randomUUID(),
    email: address.email,
    emailNorm: address.norm,
    displayName,
    avatarUrl,
  };
  const now = unixNow(deps.clock);
  const owner = await insertUserWithIdentity(deps.db, user, {
    provider,
    subject,
    issuer,
    email: address.email,
    now,
  });
  if (owner === undefined) throw failure("account_exists");
  if (owner === user.id) recordLinked(deps, provider, { userId: owner });
  return owner;
}

/**
 * Adds an identity to the account of a session. Doing so again changes nothing.
 * @throws SigninError `session_expired`, `identity_in_use`
 */
export async function linkAccount(
  deps: IdentityDeps & NoticeDeps,
  user: AccessClaims,
  { provider, issuer, identity }: ProvenIdentity,
): Promise<void> {
  const { subject } = identity;
  const email = identity.email?.email;
  const now = unixNow(deps.clock);
  const outcome = await linkIdentity(deps.db, user, { provider, subject, issuer, email, now });
  switch (outcome) {
    case "linked":
      sendNotice(deps, { userId: user.userId, kind: "identity_linked", provider });
      return recordLinked(deps, provider, user);
    case "session_gone":
      throw failure("session_expired");
    case "in_use":
      throw failure("identity_in_use");
  }
}

function recordLinked(
  { record }: IdentityDeps,
  provider: string,
  { userId, sessionId }: { userId: string; sessionId?: string },
): void {
  const detail = { provider };
  record({
    type: "identity.linked",
    outcome: "success",
    userId,
    sessionId,
    detail,
  });
}
