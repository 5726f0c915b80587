import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { accountExists, emailUnverified, identityInUse, sessionExpired } from "../errors.ts";
import type { VerifiedIdentity } from "../providers/provider.ts";
import type { AccessClaims } from "../tokens/access-token.ts";
import { parseEmail } from "./email.ts";
import { findIdentityOwner, insertUserWithIdentity, linkIdentity } from "./store.ts";

export type IdentityDeps = Pick<Scope, "db" | "clock" | "audit" | "client" | "background">;

/** A provider's word on who somebody is. */
export interface ProvenIdentity {
  provider: string;
  identity: VerifiedIdentity;
}

/**
 * The account of an identity; made at its first sign-in, for which the provider must report a verified address. Only the
 * provider's subject finds an account. An address never does: whoever controls it now need not be whom the account is of.
 * @throws SigninError `email_unverified`, `account_exists`
 */
export async function resolveOrCreateAccount(
  deps: IdentityDeps,
  { provider, identity }: ProvenIdentity,
): Promise<string> {
  const { subject, displayName, avatarUrl } = identity;
  const known = await findIdentityOwner(deps.db, { provider, subject });
  if (known !== undefined) return known;
  const address = parseEmail(identity.email);
  if (!address) throw emailUnverified();
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
    email: address.email,
    now,
  });
  if (owner === undefined) throw accountExists();
  if (owner === user.id) recordLinked(deps, provider, { userId: owner });
  return owner;
}

/**
 * Adds an identity to the account of a session. Doing so again changes nothing.
 * @throws SigninError `session_expired`, `identity_in_use`
 */
export async function linkAccount(
  deps: IdentityDeps,
  user: AccessClaims,
  { provider, identity }: ProvenIdentity,
): Promise<void> {
  const { subject, email } = identity;
  const now = unixNow(deps.clock);
  const outcome = await linkIdentity(deps.db, user, { provider, subject, email, now });
  switch (outcome) {
    case "linked":
      return recordLinked(deps, provider, user);
    case "session_gone":
      throw sessionExpired();
    case "in_use":
      throw identityInUse();
  }
}

function recordLinked(
  { audit, client, background }: IdentityDeps,
  provider: string,
  { userId, sessionId }: { userId: string; sessionId?: string },
): void {
  const detail = { provider };
  background(
    audit.record({
      type: "identity.linked",
      outcome: "success",
      userId,
      sessionId,
      client,
      detail,
    }),
  );
}
