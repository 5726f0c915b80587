import { and, eq } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { isLiveSession } from "../db/live-session.ts";
import { type UserRow, users } from "../db/schema.ts";
import { SESSIONS_PER_USER_MAX } from "../limits.ts";
import type { SessionCondition } from "../tokens/session-store.ts";

/** What a password sign-in needs to know of an account. */
export type PasswordUser = Pick<UserRow, "id" | "email" | "passwordHash">;

export async function findUserByEmail(
  db: Database,
  emailNorm: string,
): Promise<PasswordUser | undefined> {
  return db
    .select({ id: users.id, email: users.email, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.emailNorm, emailNorm))
    .get();
}

/** The networks, or addresses, from which the live sessions of an account began. */
export async function listLiveNetworks(
  db: Database,
  { emailNorm, now }: { emailNorm: string; now: number },
): Promise<string[]> {
  const { rows } = await db.$client.execute({
    sql: `SELECT DISTINCT ip_prefix FROM sessions
          WHERE user_id = (SELECT id FROM users WHERE email_norm = ?1) AND ip_prefix IS NOT NULL
            AND ${isLiveSession("?2")} LIMIT ${SESSIONS_PER_USER_MAX}`,
    args: [emailNorm, now],
  });
  return rows.map((row) => String(row.ip_prefix));
}

/** The condition of a session that a password began: the account still has the hash that was verified. */
export function hasPasswordHash(passwordHash: string): SessionCondition {
  return {
    sql: "EXISTS (SELECT 1 FROM users WHERE id = ?2 AND password_hash = ?9)",
    args: [passwordHash],
  };
}

/** Inserts an account unless its address has one; false then. */
export async function insertUser(
  db: Database,
  user: Omit<UserRow, "avatarUrl" | "updatedAt">,
): Promise<boolean> {
  const rows = await db
    .insert(users)
    .values({ ...user, updatedAt: user.createdAt })
    .onConflictDoNothing({ target: users.emailNorm })
    .returning({ id: users.id });
  return rows.length > 0;
}

/** Replaces a hash by another of the same password; not where the password was changed meanwhile. */
export async function replaceHash(
  db: Database,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<void> {
  await db
    .update(users)
    .set({ passwordHash: to })
    .where(and(eq(users.id, id), eq(users.passwordHash, from)));
}

/** For a batch: sets a new password, and ends what could still become a session of before. */
export function replacePasswordStatements({
  userId,
  passwordHash,
  now,
}: {
  userId: string;
  passwordHash: string;
  now: number;
}) {
  return [
    {
      sql: "UPDATE users SET password_hash = ?2, updated_at = ?3 WHERE id = ?1",
      args: [userId, passwordHash, now],
    },
    {
      sql: "UPDATE native_codes SET consumed_at = ?2 WHERE user_id = ?1 AND consumed_at IS NULL",
      args: [userId, now],
    },
  ];
}
