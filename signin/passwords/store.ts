import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import type { Condition } from "../db/condition.ts";
import { isLiveSession } from "../db/live-session.ts";
import { secondFactors, type UserRow, users } from "../db/schema.ts";
import { failure } from "../errors.ts";
import { SESSIONS_PER_USER_MAX } from "../limits.ts";
import { type EmailAddress, listNorms, toFormerNorm } from "../mail/email-address.ts";
import { IS_USABLE_CODE } from "./code-store.ts";

/** The part of an account that a password sign-in reads. */
interface PasswordUser
  extends Pick<UserRow, "id" | "email" | "emailNorm" | "passwordHash" | "disabledAt"> {
  /** When its second factor was switched on; null if it has none. */
  secondFactorAt: number | null;
}

const { id, email, emailNorm, passwordHash, disabledAt } = users;
const secondFactorAt = secondFactors.enabledAt;
const PASSWORD_USER = { id, email, emailNorm, passwordHash, disabledAt, secondFactorAt };

/** The account of an address. An account of an earlier version has the former norm. */
export async function findUserByEmail(
  db: Database,
  { email, norm }: EmailAddress,
): Promise<PasswordUser | undefined> {
  return db
    .select(PASSWORD_USER)
    .from(users)
    .leftJoin(secondFactors, eq(secondFactors.userId, id))
    .where(inArray(users.emailNorm, [norm, toFormerNorm(email)]))
    .orderBy(sql`${users.emailNorm} = ${norm} DESC`)
    .limit(1)
    .get();
}

/** The account of a signed-in user. */
export type Owner = PasswordUser;

/** @throws SigninError `session_expired` if the account was deleted */
export async function getOwner(db: Database, userId: string): Promise<Owner> {
  const owner = await db
    .select(PASSWORD_USER)
    .from(users)
    .leftJoin(secondFactors, eq(secondFactors.userId, id))
    .where(eq(id, userId))
    .get();
  if (!owner) throw failure("session_expired");
  return owner;
}

/** The keys that mailed codes of an account can have: its address in all forms, and its id. */
export function codeKeysOf({
  id,
  email,
  emailNorm,
}: Pick<Owner, "id" | "email" | "emailNorm">): string[] {
  return [...new Set([emailNorm, ...listNorms(email), id])];
}

/** The networks, or addresses, from which the live sessions of an account began. */
export async function listLiveNetworks(
  db: Database,
  { email: { email, norm }, now }: { email: EmailAddress; now: number },
): Promise<string[]> {
  const { rows } = await db.$client.execute({
    sql: `SELECT DISTINCT ip_prefix FROM sessions
          WHERE user_id IN (SELECT id FROM users WHERE email_norm IN (:norm, :formerNorm)) AND ip_prefix IS NOT NULL
            AND ${isLiveSession(":now")} LIMIT ${SESSIONS_PER_USER_MAX}`,
    args: { norm, formerNorm: toFormerNorm(email), now },
  });
  return rows.map((row) => String(row.ip_prefix));
}

/** The condition of a session that a password began: the account still has the hash that was verified. */
export function hasPasswordHash(passwordHash: string): Condition {
  return {
    sql: "EXISTS (SELECT 1 FROM users WHERE id = :userId AND password_hash = :passwordHash)",
    args: { passwordHash },
  };
}

/** The condition of a session that a mailed code began: the code is unused, and the account still has its address. */
export function boughtByMailedCode(codeId: string, { email, norm }: EmailAddress): Condition {
  return {
    sql: `${IS_USABLE_CODE} AND EXISTS (SELECT 1 FROM users WHERE id = :userId AND email_norm IN (:norm, :formerNorm))`,
    args: { codeId, norm, formerNorm: toFormerNorm(email) },
  };
}

/** Inserts an account where no other one has its address, the code `codeId` is unused, and it `may` be made. A row if it did. */
export function insertUserStatement(
  user: Pick<UserRow, "id" | "email" | "emailNorm" | "displayName" | "createdAt"> & {
    passwordHash: string;
  },
  codeId: string,
  may: Condition,
) {
  return {
    sql: `INSERT INTO users (id, email, email_norm, display_name, password_hash, created_at, updated_at)
          SELECT :id, :email, :emailNorm, :displayName, :passwordHash, :createdAt, :createdAt
          WHERE NOT EXISTS (SELECT 1 FROM users WHERE email_norm = :formerNorm) AND ${IS_USABLE_CODE} AND ${may.sql}
          ON CONFLICT (email_norm) DO NOTHING RETURNING id`,
    args: { ...user, formerNorm: toFormerNorm(user.email), codeId, ...may.args },
  };
}

/** Replaces a hash by another of the same password, unless the password was changed meanwhile. */
export async function replaceHash(
  db: Database,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<void> {
  await db
    .update(users)
    .set({ passwordHash: to })
    .where(and(eq(users.id, id), eq(users.passwordHash, from)));
}
