import { and, asc, count, eq, gt, inArray, max, sql } from "drizzle-orm";
import { Batch } from "../../shared/batch.ts";
import type { Database } from "../../shared/database.ts";
import { deleteAccountRows } from "../db/delete-account.ts";
import { isLiveAt } from "../db/live-session.ts";
import { sessions, users } from "../db/schema.ts";
import { type EmailAddress, listNorms, toFormerNorm } from "../mail/email-address.ts";
import { ACCOUNT_PURPOSES, consumeCodesStatement } from "../passwords/code-store.ts";
import { revokeSessionsStatement } from "../tokens/session-store.ts";

/** An account as the operator sees it: no hash, no key. */
export interface AdminUser {
  id: string;
  email: string;
  displayName: string | null;
  hasPassword: boolean;
  createdAt: number;
  /** When it was disabled. */
  disabledAt: number | null;
}

const ADMIN_USER = {
  id: users.id,
  email: users.email,
  displayName: users.displayName,
  hasPassword: sql<boolean>`${users.passwordHash} IS NOT NULL`.mapWith(Boolean),
  createdAt: users.createdAt,
  disabledAt: users.disabledAt,
};

/** Accounts by address, those after `after`; `contains` narrows them down. */
export function listUsers(
  db: Database,
  { after, contains, limit }: { after: string; contains: string; limit: number },
): Promise<AdminUser[]> {
  // LIKE would read `_` and `%`, which addresses may have, as a pattern.
  const isFound = sql`instr(${users.emailNorm}, ${contains.toLowerCase()}) > 0`;
  return db
    .select(ADMIN_USER)
    .from(users)
    .where(and(gt(users.emailNorm, after), isFound))
    .orderBy(asc(users.emailNorm))
    .limit(limit);
}

/** By id, or by e-mail address. */
export async function findUser(db: Database, idOrEmail: string): Promise<AdminUser | undefined> {
  const which = idOrEmail.includes("@")
    ? inArray(users.emailNorm, listNorms(idOrEmail))
    : eq(users.id, idOrEmail);
  return db.select(ADMIN_USER).from(users).where(which).get();
}

/** The number of live sessions, and when one of them was last used. */
export async function summarizeSessions(
  db: Database,
  { userId, now }: { userId: string; now: number },
): Promise<{ alive: number; lastSeenAt: number | null }> {
  const row = await db
    .select({ alive: count(), lastSeenAt: max(sessions.lastSeenAt) })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isLiveAt(now)))
    .get();
  return row ?? { alive: 0, lastSeenAt: null };
}

/** The user of a session, live or not. */
export async function findSessionOwner(db: Database, id: string): Promise<string | undefined> {
  const row = await db
    .select({ userId: sessions.userId })
    .from(sessions)
    .where(eq(sessions.id, id))
    .get();
  return row?.userId;
}

/** Deletes an account with its rows; its audit trail stays. */
export async function deleteUser(
  db: Database,
  { id, email }: Pick<AdminUser, "id" | "email">,
): Promise<void> {
  await deleteAccountRows(db, { userId: id, codeKeys: [...listNorms(email), id] });
}

/** Disables an account, and ends its sessions; or enables it again. */
export async function setDisabled(
  db: Database,
  { userId, isDisabled, now }: { userId: string; isDisabled: boolean; now: number },
): Promise<void> {
  const batch = new Batch();
  batch.add({
    sql: "UPDATE users SET disabled_at = :disabledAt WHERE id = :userId",
    args: { userId, disabledAt: isDisabled ? now : null },
  });
  if (isDisabled) batch.add(revokeSessionsStatement({ userId }, { reason: "admin", now }));
  await batch.run(db);
}

/**
 * Gives an account another address, and ends what the former one, and those signed in, could still do: sessions, codes, and codes
 * of native clients. False if another account has the address.
 */
export async function setEmail(
  db: Database,
  { userId, from, to, now }: { userId: string; from: string; to: EmailAddress; now: number },
): Promise<boolean> {
  const { email, norm } = to;
  const batch = new Batch();
  const changed = batch.add({
    sql: `UPDATE users SET email = :email, email_norm = :norm, updated_at = :now
          WHERE id = :userId AND NOT EXISTS (SELECT 1 FROM users WHERE email_norm IN (:norm, :formerNorm) AND id <> :userId)
          RETURNING id`,
    args: { email, norm, formerNorm: toFormerNorm(email), userId, now },
  });
  const isDone = "EXISTS (SELECT 1 FROM users WHERE id = :userId AND email = :email)";
  batch.add({
    sql: `UPDATE sessions SET revoked_at = :now, revoke_reason = 'admin' WHERE user_id = :userId AND revoked_at IS NULL AND ${isDone}`,
    args: { userId, email, now },
  });
  batch.add({
    sql: `UPDATE native_codes SET consumed_at = :now WHERE user_id = :userId AND consumed_at IS NULL AND ${isDone}`,
    args: { userId, email, now },
  });
  const spent = { keys: [...listNorms(from), userId], purposes: ACCOUNT_PURPOSES, now };
  batch.add(consumeCodesStatement(spent, { sql: isDone, args: { userId, email } }));
  await batch.run(db);
  return changed().length > 0;
}

/** Lets an address sign up until `expiresAt`, in unix seconds. False if an account has it. */
export async function insertInvitation(
  db: Database,
  { email, norm }: EmailAddress,
  expiresAt: number,
): Promise<boolean> {
  const { rows } = await db.$client.execute({
    sql: `INSERT INTO invitations (email_norm, expires_at) SELECT :norm, :expiresAt
          WHERE NOT EXISTS (SELECT 1 FROM users WHERE email_norm IN (:norm, :formerNorm))
          ON CONFLICT (email_norm) DO UPDATE SET expires_at = excluded.expires_at RETURNING email_norm`,
    args: { norm, formerNorm: toFormerNorm(email), expiresAt },
  });
  return rows.length > 0;
}

/** Copies the embedded database into an empty file, as of one moment, also while a server writes. */
export async function copyDatabase(db: Database, path: string): Promise<void> {
  await db.$client.execute({ sql: "VACUUM INTO ?", args: [path] });
}
