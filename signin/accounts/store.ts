import { and, eq } from "drizzle-orm";
import { toIsoTime } from "../../shared/clock.ts";
import type { Database } from "../../shared/database.ts";
import { isLiveSession } from "../db/live-session.ts";
import { identities, users } from "../db/schema.ts";
import { userJson } from "../db/user-json.ts";
import { type EmailAddress, toFormerNorm } from "../mail/email-address.ts";

// A subject of another issuer is another person's.
const OWNER = `SELECT user_id FROM identities
  WHERE provider = ?1 AND subject = ?2 AND (issuer IS NULL OR issuer = ?3)`;

/** An identity to be stored. */
export interface NewIdentity {
  provider: string;
  subject: string;
  issuer: string;
  email: string | undefined;
  now: number;
}

/** An identity that is stored, with what its account is known by. */
export interface KnownIdentity {
  userId: string;
  /** Null in rows from before the column. */
  issuer: string | null;
  /** The verified address that the identity brought. */
  emailAtLink: string | null;
  email: string;
  emailNorm: string;
  hasPassword: boolean;
}

export async function findIdentity(
  db: Database,
  { provider, subject }: { provider: string; subject: string },
): Promise<KnownIdentity | undefined> {
  const row = await db
    .select({
      userId: users.id,
      issuer: identities.issuer,
      emailAtLink: identities.emailAtLink,
      email: users.email,
      emailNorm: users.emailNorm,
      passwordHash: users.passwordHash,
    })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.provider, provider), eq(identities.subject, subject)))
    .get();
  if (!row) return undefined;
  const { passwordHash, ...known } = row;
  return { ...known, hasPassword: passwordHash !== null };
}

/** An address that an account takes from its identity. */
export interface FollowedEmail {
  userId: string;
  provider: string;
  subject: string;
  /** The account's present address, which the identity brought. */
  from: string;
  address: EmailAddress;
  now: number;
}

/** Gives the account the address unless another one has it, or something changed meanwhile. Whether it did. */
export async function replaceFollowedEmail(
  db: Database,
  { userId, provider, subject, from, address, now }: FollowedEmail,
): Promise<boolean> {
  const { email, norm } = address;
  const results = await db.$client.batch(
    [
      {
        sql: `UPDATE users SET email = ?1, email_norm = ?2, updated_at = ?3
              WHERE id = ?4 AND email = ?5 AND password_hash IS NULL
                AND EXISTS (SELECT 1 FROM identities
                  WHERE provider = ?6 AND subject = ?7 AND user_id = ?4 AND email_at_link = ?5)
                AND NOT EXISTS (SELECT 1 FROM users WHERE email_norm = ?2)
              RETURNING id`,
        args: [email, norm, now, userId, from, provider, subject],
      },
      {
        sql: `UPDATE identities SET email_at_link = ?1
              WHERE provider = ?2 AND subject = ?3 AND email_at_link = ?4
                AND EXISTS (SELECT 1 FROM users WHERE id = user_id AND email = ?1)`,
        args: [email, provider, subject, from],
      },
    ],
    "write",
  );
  return results[0]?.rows.length === 1;
}

/** A user to be made of a first sign-in. */
export interface NewUser {
  id: string;
  email: string;
  emailNorm: string;
  displayName: string | undefined;
  avatarUrl: string | undefined;
}

/**
 * Makes the account and its identity together unless a parallel request did: of parallel first sign-ins one makes it and
 * all find it. Returns its id; undefined where the address belongs to another account, which is left alone.
 */
export async function insertUserWithIdentity(
  db: Database,
  user: NewUser,
  { provider, subject, issuer, now }: NewIdentity,
): Promise<string | undefined> {
  const { id, email, emailNorm, displayName, avatarUrl } = user;
  const results = await db.$client.batch(
    [
      {
        sql: `INSERT INTO users (id, email, email_norm, display_name, avatar_url, created_at, updated_at)
              SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?6
              WHERE NOT EXISTS (SELECT 1 FROM identities WHERE provider = ?7 AND subject = ?8)
                AND NOT EXISTS (SELECT 1 FROM users WHERE email_norm = ?9)
              ON CONFLICT (email_norm) DO NOTHING`,
        args: [
          id,
          email,
          emailNorm,
          displayName ?? null,
          avatarUrl ?? null,
          now,
          provider,
          subject,
          toFormerNorm(email),
        ],
      },
      {
        sql: `INSERT INTO identities (provider, subject, issuer, user_id, email_at_link, linked_at)
              SELECT ?1, ?2, ?3, id, ?4, ?5 FROM users WHERE id = ?6
              ON CONFLICT DO NOTHING`,
        args: [provider, subject, issuer, email, now, id],
      },
      { sql: OWNER, args: [provider, subject, issuer] },
    ],
    "write",
  );
  const owner = results.at(-1)?.rows[0]?.user_id;
  return owner === undefined ? undefined : String(owner);
}

/** What became of a link. */
export type LinkOutcome = "linked" | "session_gone" | "in_use";

/** Adds an identity to the account, if the session that asked for it is still alive at that moment. */
export async function linkIdentity(
  db: Database,
  { userId, sessionId }: { userId: string; sessionId: string },
  { provider, subject, issuer, email, now }: NewIdentity,
): Promise<LinkOutcome> {
  const session = `SELECT 1 AS live FROM sessions WHERE id = ?1 AND user_id = ?2 AND ${isLiveSession("?3")}`;
  const results = await db.$client.batch(
    [
      {
        sql: `INSERT INTO identities (provider, subject, issuer, user_id, email_at_link, linked_at)
              SELECT ?4, ?5, ?6, ?2, ?7, ?3 WHERE EXISTS (${session})
              ON CONFLICT DO NOTHING`,
        args: [sessionId, userId, now, provider, subject, issuer, email ?? null],
      },
      { sql: session, args: [sessionId, userId, now] },
      { sql: OWNER, args: [provider, subject, issuer] },
    ],
    "write",
  );
  if (!results[1]?.rows.length) return "session_gone";
  return results[2]?.rows[0]?.user_id === userId ? "linked" : "in_use";
}

/** An account as its owner sees it. */
export interface AccountState {
  /** `AccountUser` as JSON. */
  user: string;
  hasPassword: boolean;
  connections: { provider: string; hint: string | null; connectedAt: string; isKey: boolean }[];
}

/** One statement: this is the most frequent request there is. */
export async function findAccount(db: Database, userId: string): Promise<AccountState | undefined> {
  const { rows } = await db.$client.execute({
    sql: `SELECT ${userJson("users.id")} AS user, password_hash IS NOT NULL AS has_password,
            (SELECT json_group_array(json_array(provider, hint, since, is_key)) FROM (
              SELECT provider, NULL AS hint, linked_at AS since, 0 AS is_key FROM identities WHERE user_id = ?1
              UNION ALL SELECT provider, hint, connected_at, 1 FROM api_keys WHERE user_id = ?1
              ORDER BY since, provider)) AS connections
          FROM users WHERE id = ?1`,
    args: [userId],
  });
  const row = rows[0];
  if (!row) return undefined;
  // The statement above makes this shape.
  const list: [string, string | null, number, number][] = JSON.parse(String(row.connections));
  return {
    user: String(row.user),
    hasPassword: Boolean(row.has_password),
    connections: list.map(([provider, hint, since, isKey]) => ({
      provider,
      hint,
      connectedAt: toIsoTime(since * 1000),
      isKey: isKey === 1,
    })),
  };
}
