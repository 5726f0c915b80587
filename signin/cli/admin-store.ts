import { and, asc, count, eq, gt, inArray, max, sql } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { deleteAccountRows } from "../db/delete-account.ts";
import { isLiveAt } from "../db/live-session.ts";
import { sessions, users } from "../db/schema.ts";
import { listNorms } from "../mail/email-address.ts";

/** An account as the operator sees it: no hash, no key. */
export interface AdminUser {
  id: string;
  email: string;
  displayName: string | null;
  hasPassword: boolean;
  createdAt: number;
}

const ADMIN_USER = {
  id: users.id,
  email: users.email,
  displayName: users.displayName,
  hasPassword: sql<boolean>`${users.passwordHash} IS NOT NULL`.mapWith(Boolean),
  createdAt: users.createdAt,
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

/** Copies the embedded database into an empty file, as of one moment, also while a server writes. */
export async function copyDatabase(db: Database, path: string): Promise<void> {
  await db.$client.execute({ sql: "VACUUM INTO ?", args: [path] });
}
