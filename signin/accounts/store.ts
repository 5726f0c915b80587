import { and, eq, sql } from "drizzle-orm";
import { Batch } from "../../shared/batch.ts";
import { type Database, readFirst } from "../../shared/database.ts";
import type { Condition } from "../db/condition.ts";
import { hasLiveSession } from "../db/live-session.ts";
import { identities, passkeys, secondFactors, users } from "../db/schema.ts";
import { toTime } from "../db/time.ts";
import { FRESH_PROOF_SEC } from "../limits.ts";
import { type EmailAddress, toFormerNorm } from "../mail/email-address.ts";
import type { AccountUser } from "../tokens/wire.ts";
import { deleteInvitationStatement, findTakenStatement } from "./sign-up-rule.ts";

// The same subject of another issuer can be another person.
const OWNER = `SELECT user_id FROM identities
  WHERE provider = :provider AND subject = :subject AND (issuer IS NULL OR issuer = :issuer)`;

/** An identity to be stored. */
interface NewIdentity {
  provider: string;
  subject: string;
  issuer: string;
  email?: string | null | undefined;
  now: number;
}

/** A stored identity, with its account. */
export interface KnownIdentity {
  userId: string;
  /** Null in rows that are older than the column. */
  issuer: string | null;
  /** The verified address that the provider reported. */
  emailAtLink: string | null;
  email: string;
  emailNorm: string;
  hasPassword: boolean;
  /** When an operator disabled the account. */
  disabledAt: number | null;
  /** Whether it was linked without fresh proof, and not confirmed since. */
  isUnconfirmed: boolean | null;
  /** When the second factor of the account was switched on; null if it has none. */
  secondFactorAt: number | null;
}

export function findIdentity(
  db: Database,
  { provider, subject }: { provider: string; subject: string },
): Promise<KnownIdentity | undefined> {
  return db
    .select({
      userId: users.id,
      issuer: identities.issuer,
      emailAtLink: identities.emailAtLink,
      email: users.email,
      emailNorm: users.emailNorm,
      hasPassword: sql<boolean>`${users.passwordHash} IS NOT NULL`.mapWith(Boolean),
      disabledAt: users.disabledAt,
      isUnconfirmed: identities.isUnconfirmed,
      secondFactorAt: secondFactors.enabledAt,
    })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .leftJoin(secondFactors, eq(secondFactors.userId, users.id))
    .where(and(eq(identities.provider, provider), eq(identities.subject, subject)))
    .get();
}

/** An address that an account takes from its provider. */
interface FollowedEmail {
  userId: string;
  provider: string;
  subject: string;
  /** The account's present address, which the provider reported before. */
  from: string;
  address: EmailAddress;
  now: number;
}

/** Gives the account the address. False if another account has it, or where something changed meanwhile. */
export async function replaceFollowedEmail(
  db: Database,
  { userId, provider, subject, from, address: { email, norm }, now }: FollowedEmail,
): Promise<boolean> {
  const batch = new Batch();
  const updated = batch.add({
    sql: `UPDATE users SET email = :email, email_norm = :norm, updated_at = :now
          WHERE id = :userId AND email = :from AND password_hash IS NULL
            AND EXISTS (SELECT 1 FROM identities
              WHERE provider = :provider AND subject = :subject AND user_id = :userId AND email_at_link = :from)
            AND NOT EXISTS (SELECT 1 FROM users WHERE email_norm = :norm)
          RETURNING id`,
    args: { email, norm, now, userId, from, provider, subject },
  });
  batch.add({
    sql: `UPDATE identities SET email_at_link = :email
          WHERE provider = :provider AND subject = :subject AND email_at_link = :from
            AND EXISTS (SELECT 1 FROM users WHERE id = user_id AND email = :email)`,
    args: { email, provider, subject, from },
  });
  batch.add(deleteInvitationStatement({ email, norm }, userId));
  await batch.run(db);
  return updated().length === 1;
}

interface NewUser {
  id: string;
  email: string;
  emailNorm: string;
  displayName: string | undefined;
  avatarUrl: string | undefined;
}

/** The account of an identity, or why there is none: another account has the address, or this one may not be made. */
type MadeAccount = { owner: string } | "account_exists" | "signup_closed";

/**
 * Creates the account and its identity together, where it `may` be made. Of parallel first sign-ins one creates it, and all get
 * its id.
 */
export async function insertUserWithIdentity(
  db: Database,
  user: NewUser,
  identity: NewIdentity,
  may: Condition,
): Promise<MadeAccount> {
  const batch = new Batch();
  const made = addUserWithIdentity(batch, user, identity, may);
  await batch.run(db);
  return made();
}

/** The same in a batch of the caller. The outcome is for the time after the batch. */
export function addUserWithIdentity(
  batch: Batch,
  user: NewUser,
  { provider, subject, issuer, email: emailAtLink = null, now }: NewIdentity,
  may: Condition,
): () => MadeAccount {
  const { id, email, emailNorm, displayName = null, avatarUrl = null } = user;
  const formerNorm = toFormerNorm(email);
  batch.add({
    sql: `INSERT INTO users (id, email, email_norm, display_name, avatar_url, created_at, updated_at)
          SELECT :id, :email, :emailNorm, :displayName, :avatarUrl, :now, :now
          WHERE NOT EXISTS (SELECT 1 FROM identities WHERE provider = :provider AND subject = :subject)
            AND NOT EXISTS (SELECT 1 FROM users WHERE email_norm = :formerNorm) AND ${may.sql}
          ON CONFLICT (email_norm) DO NOTHING`,
    args: {
      ...{ id, email, emailNorm, displayName, avatarUrl, now, provider, subject, formerNorm },
      ...may.args,
    },
  });
  const address = { email, norm: emailNorm };
  batch.add(deleteInvitationStatement(address, id));
  const taken = batch.add(findTakenStatement(address));
  batch.add({
    sql: `INSERT INTO identities (provider, subject, issuer, user_id, email_at_link, linked_at)
          SELECT :provider, :subject, :issuer, id, :emailAtLink, :now FROM users WHERE id = :id
          ON CONFLICT DO NOTHING`,
    args: { provider, subject, issuer, emailAtLink, now, id },
  });
  const owners = batch.add({ sql: OWNER, args: { provider, subject, issuer } });
  return () => {
    const [owner] = owners();
    if (owner) return { owner: String(owner.user_id) };
    return taken().length > 0 ? "account_exists" : "signup_closed";
  };
}

type LinkOutcome = "linked" | "session_gone" | "in_use";

/** Adds an identity to the account, if the session that requested it is still live; unconfirmed without a fresh proof. */
export async function linkIdentity(
  db: Database,
  { userId, sessionId }: { userId: string; sessionId: string },
  { provider, subject, issuer, email = null, now }: NewIdentity,
): Promise<LinkOutcome> {
  const args = { sessionId, userId, now, provider, subject, issuer, email };
  const batch = new Batch();
  batch.add({
    sql: `INSERT INTO identities (provider, subject, issuer, user_id, email_at_link, linked_at, is_unconfirmed)
          SELECT :provider, :subject, :issuer, :userId, :email, :now,
            CASE WHEN EXISTS (SELECT 1 FROM sessions WHERE id = :sessionId AND proven_at > :provenAfter) THEN NULL ELSE 1 END
          WHERE ${hasLiveSession(":now")}
          ON CONFLICT DO NOTHING`,
    args: { ...args, provenAfter: now - FRESH_PROOF_SEC },
  });
  const live = batch.add({
    sql: `SELECT 1 WHERE ${hasLiveSession(":now")}`,
    args: { sessionId, userId, now },
  });
  const owners = batch.add({ sql: OWNER, args: { provider, subject, issuer } });
  await batch.run(db);
  if (live().length === 0) return "session_gone";
  return owners()[0]?.user_id === userId ? "linked" : "in_use";
}

/** An account as its owner sees it. */
export interface AccountState {
  user: AccountUser;
  hasPassword: boolean;
  connections: { provider: string; hint: string | null; connectedAt: string; isKey: boolean }[];
}

const ACCOUNT = `SELECT id, email, display_name, avatar_url, password_hash IS NOT NULL,
    (SELECT json_group_array(json_array(provider, hint, since, is_key)) FROM (
      SELECT provider, NULL AS hint, linked_at AS since, 0 AS is_key FROM identities WHERE user_id = :userId
      UNION ALL SELECT provider, hint, connected_at, 1 FROM api_keys WHERE user_id = :userId
      ORDER BY since, provider))
  FROM users WHERE id = :userId`;

/** One statement: this is the most frequent request. */
export async function findAccount(db: Database, userId: string): Promise<AccountState | undefined> {
  const row = await readFirst(db, ACCOUNT, { userId });
  if (!row) return undefined;
  // The statement makes these types.
  const [id, email, name, avatar, hasPassword, listed] = row as AccountRow;
  const connections = (JSON.parse(listed) as ListedConnection[]).map(
    ([provider, hint, since, isKey]) => ({
      provider,
      hint,
      connectedAt: toTime(since),
      isKey: isKey === 1,
    }),
  );
  const providers = connections.map(({ provider }) => provider);
  const user = {
    id,
    email,
    display_name: name,
    avatar_url: avatar,
    connected_providers: providers,
  };
  return { user, hasPassword: Boolean(hasPassword), connections };
}

type AccountRow = [
  id: string,
  email: string,
  name: string | null,
  avatar: string | null,
  hasPassword: number,
  connections: string,
];
type ListedConnection = [provider: string, hint: string | null, since: number, isKey: number];

export async function updateDisplayName(
  db: Database,
  { userId, displayName, now }: { userId: string; displayName: string | null; now: number },
): Promise<void> {
  await db.update(users).set({ displayName, updatedAt: now }).where(eq(users.id, userId));
}

/** The passkeys of an account by the names that their user gave them. */
export async function listPasskeyLabels(
  db: Database,
  userId: string,
): Promise<{ name: string; since: string }[]> {
  const rows = await db
    .select({ name: passkeys.label, createdAt: passkeys.createdAt })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(passkeys.createdAt);
  return rows.map(({ name, createdAt }) => ({ name, since: toTime(createdAt) }));
}

/** What was there before a session began. */
interface EarlierDevices {
  /** Of sessions with this user agent: networks, or addresses; null if a session's was unknown. */
  networks: (string | null)[];
  hadSessions: boolean;
  /** Of the account, when the session began. */
  ageSec: number;
}

/**
 * The networks of earlier sessions with a user agent: stored ones, and by the trail those that the cleanup deleted. Earlier by
 * rowid, so that of two sessions at once the second one knows the first. Undefined if the session is gone.
 */
export async function findEarlierDevices(
  db: Database,
  given: { userId: string; sessionId: string; userAgent: string | null },
): Promise<EarlierDevices | undefined> {
  const { rows } = await db.$client.execute({
    sql: `WITH own AS (SELECT rowid AS at, created_at FROM sessions WHERE id = :sessionId AND user_id = :userId),
            earlier AS (
              SELECT ip_prefix, user_agent FROM sessions WHERE user_id = :userId AND rowid < (SELECT at FROM own)
              UNION SELECT ip_prefix, ua FROM audit_events WHERE user_id = :userId AND type = 'session.created'
                AND session_id NOT IN (SELECT id FROM sessions WHERE user_id = :userId))
          SELECT (SELECT json_group_array(ip_prefix) FROM earlier WHERE user_agent IS :userAgent) AS networks,
            EXISTS (SELECT 1 FROM earlier) AS had_sessions,
            own.created_at - (SELECT created_at FROM users WHERE id = :userId) AS age FROM own`,
    args: given,
  });
  const [row] = rows;
  return (
    row && {
      // The statement above makes this shape.
      networks: JSON.parse(String(row.networks)) as (string | null)[],
      hadSessions: Boolean(row.had_sessions),
      ageSec: Number(row.age),
    }
  );
}
