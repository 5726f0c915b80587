import type { Database } from "../../shared/database.ts";
import type { AddressRule } from "../config/presets.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import type { MailDeps } from "../mail/send-mail.ts";
import type { VerifiedIdentity } from "../providers/provider.ts";
import { type NoticeDeps, noticeNewAddress, sendNotice } from "./notice.ts";
import { maySignUp } from "./sign-up-rule.ts";
import {
  findIdentity,
  insertUserWithIdentity,
  type KnownIdentity,
  linkIdentity,
  replaceFollowedEmail,
} from "./store.ts";

type IdentityDeps = Pick<Scope, "db" | "clock" | "record">;

/** An identity that a provider verified. */
export interface ProvenIdentity {
  provider: string;
  /** The issuer of the subject. */
  issuer: string;
  addresses: AddressRule;
  identity: VerifiedIdentity;
}

/**
 * The account of an identity. Its first sign-in creates it, for which the provider must report a verified address that counts.
 * Undefined if a mailed code has to prove one before. Only the provider's subject finds an account. An address never does: it may
 * have changed hands since the account was created.
 * @throws SigninError `email_unverified`, `account_exists`, `signup_closed`, `identity_rejected`, `account_disabled`,
 * `identity_unconfirmed`
 */
export async function resolveOrCreateAccount(
  deps: FollowDeps,
  { provider, issuer, addresses, identity }: ProvenIdentity,
): Promise<string | undefined> {
  const { subject, email: address, displayName, avatarUrl } = identity;
  const known = await findUsableIdentity(deps.db, { provider, subject, issuer });
  if (known) {
    if (known.isUnconfirmed && known.secondFactorAt !== null) throw failure("identity_unconfirmed");
    await followAddress(deps, known, { provider, identity });
    return known.userId;
  }
  if (!address) {
    if (addresses === "required") throw failure("email_unverified");
    return undefined;
  }
  const user = {
    id: crypto.randomUUID(),
    email: address.email,
    emailNorm: address.norm,
    displayName,
    avatarUrl,
  };
  const now = unixNow(deps.clock);
  const made = await insertUserWithIdentity(
    deps.db,
    user,
    { provider, subject, issuer, email: address.email, now },
    maySignUp(deps.config, { email: address, now }),
  );
  if (typeof made === "string") throw failure(made);
  const { owner } = made;
  if (owner === user.id) recordLinked(deps, provider, { userId: owner });
  return owner;
}

/**
 * The stored identity, if there is one, of an account that may sign in.
 * @throws SigninError `identity_rejected`, `account_disabled`
 */
export async function findUsableIdentity(
  db: Database,
  { issuer, ...identity }: { provider: string; subject: string; issuer: string },
): Promise<KnownIdentity | undefined> {
  const known = await findIdentity(db, identity);
  // The issuer gate has checked it, unless two configurations share a database.
  if (known && known.issuer !== null && known.issuer !== issuer) {
    throw failure("identity_rejected", `the identity is of the issuer ${known.issuer}`);
  }
  if (known && known.disabledAt !== null) throw failure("account_disabled");
  return known;
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

/** Records an identity that an account has now. */
export function recordLinked(
  { record }: Pick<Scope, "record">,
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

type FollowDeps = MailDeps & Pick<Scope, "db" | "clock" | "background">;

/**
 * At a sign-in, the account takes the verified address that the provider now reports. Otherwise a new owner of the former
 * mailbox could set a password. It applies only where this provider gave the account its present address, the account has no
 * password, and no other account has the new address. Both mailboxes get a mail.
 */
async function followAddress(
  deps: FollowDeps,
  known: KnownIdentity,
  { provider, identity }: { provider: string; identity: VerifiedIdentity },
): Promise<void> {
  const { subject, email: address } = identity;
  const { userId, email: from } = known;
  // Another spelling of the mailbox is no change, also where an earlier version normalized it differently.
  if (!address || address.norm === known.emailNorm || address.email === from) return;
  if (known.hasPassword || known.emailAtLink !== from) return;
  const now = unixNow(deps.clock);
  const change = { userId, provider, subject, from, address, now };
  if (!(await replaceFollowedEmail(deps.db, change))) return;
  const detail = { provider };
  deps.record({ type: "email.changed", outcome: "success", userId, detail });
  deps.background(noticeNewAddress(deps, { userId, from, to: address.email, provider }));
}
