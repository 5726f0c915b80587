import { and, desc, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { type Database, writeBatch } from "../../shared/database.ts";
import type { Condition } from "../db/condition.ts";
import { emailCodes } from "../db/schema.ts";
import { CODES_COMPARED_MAX, EMAIL_CODE_ATTEMPTS_MAX } from "../limits.ts";
import type { CodePurpose } from "./codes.ts";

/** The codes of an address, or of an account, for a purpose: at most one for each client that requested one. */
export interface CodeKey {
  purpose: CodePurpose;
  /** The address; the id of the account, where its signed-in user asks. */
  emailNorm: string;
  /** The new address that a code is for. It is a part of the MAC alone. */
  address?: string | undefined;
}

/** SQL: whether the code `:codeId` can still be consumed. Part of the statement that it allows. */
export const IS_USABLE_CODE =
  "EXISTS (SELECT 1 FROM email_codes WHERE id = :codeId AND consumed_at IS NULL AND superseded_at IS NULL)";

/** The codes that end with a password: all but those of addresses without an account. */
export const ACCOUNT_PURPOSES = [
  "reset",
  "login",
  "password",
  "email",
  "delete",
  "reauthenticate",
] as const;

/** Consumes the pending codes of addresses and accounts for these purposes, where `condition` holds. */
export function consumeCodesStatement(
  {
    keys,
    purposes,
    now,
  }: { keys: readonly string[]; purposes: readonly CodePurpose[]; now: number },
  condition: Condition,
) {
  return {
    sql: `UPDATE email_codes SET consumed_at = :now
          WHERE email_norm IN (SELECT value FROM json_each(:keys)) AND purpose IN (SELECT value FROM json_each(:purposes))
            AND consumed_at IS NULL AND ${condition.sql}`,
    args: {
      now,
      keys: JSON.stringify(keys),
      purposes: JSON.stringify(purposes),
      ...condition.args,
    },
  };
}

/** A code that can still be entered. */
export interface StoredCode {
  id: string;
  asker: string | null;
  codeHmac: string;
}

/** Stores a code. It replaces the one that the same client requested before; those of other clients stay. */
export async function insertCode(
  db: Database,
  code: CodeKey & { id: string; asker: string; codeHmac: string; now: number; expiresAt: number },
): Promise<void> {
  const { id, asker, purpose, emailNorm, codeHmac, now, expiresAt } = code;
  const replaced = or(eq(emailCodes.asker, asker), isNull(emailCodes.asker));
  await writeBatch(db, [
    db
      .update(emailCodes)
      .set({ supersededAt: now })
      .where(and(isUsable({ purpose, emailNorm }), replaced)),
    db
      .insert(emailCodes)
      .values({ id, asker, purpose, emailNorm, codeHmac, attempts: 0, expiresAt }),
  ]);
}

/** Gives a client attempts of its own at the newest pending code, unless it has some already. */
export async function joinCode(
  db: Database,
  { purpose, emailNorm, id, asker, now }: CodeKey & { id: string; asker: string; now: number },
): Promise<void> {
  const pending = `purpose = :purpose AND email_norm = :emailNorm AND consumed_at IS NULL
    AND superseded_at IS NULL AND expires_at > :now`;
  await db.$client.execute({
    sql: `INSERT INTO email_codes (id, purpose, email_norm, code_hmac, asker, attempts, expires_at)
          SELECT :id, purpose, email_norm, code_hmac, :asker, 0, expires_at FROM email_codes WHERE ${pending}
            AND NOT EXISTS (SELECT 1 FROM email_codes WHERE ${pending} AND asker = :asker)
          ORDER BY expires_at DESC, rowid DESC LIMIT 1`,
    args: { id, asker, purpose, emailNorm, now },
  });
}

/** The codes of an address that can still be entered, the newest first. */
export function listPendingCodes(
  db: Database,
  { now, ...key }: CodeKey & { now: number },
): Promise<StoredCode[]> {
  return db
    .select({ id: emailCodes.id, asker: emailCodes.asker, codeHmac: emailCodes.codeHmac })
    .from(emailCodes)
    .where(and(isUsable(key), gt(emailCodes.expiresAt, now)))
    .orderBy(desc(emailCodes.expiresAt), desc(sql`rowid`))
    .limit(CODES_COMPARED_MAX);
}

/** Counts one of the five attempts of a client at the code that it requested; false where none is left. */
export async function countAttempt(
  db: Database,
  { now, asker, ...key }: CodeKey & { asker: string; now: number },
): Promise<boolean> {
  const rows = await db
    .update(emailCodes)
    .set({ attempts: sql`${emailCodes.attempts} + 1` })
    .where(
      and(
        isUsable(key),
        eq(emailCodes.asker, asker),
        gt(emailCodes.expiresAt, now),
        lt(emailCodes.attempts, EMAIL_CODE_ATTEMPTS_MAX),
      ),
    )
    .returning({ id: emailCodes.id });
  return rows.length > 0;
}

/** Consumes the code `id`, and with it all others of the address. Of parallel calls one succeeds. */
export async function consumeCode(
  db: Database,
  { id, now, ...key }: CodeKey & { id: string; now: number },
): Promise<boolean> {
  const rows = await db
    .update(emailCodes)
    .set({ consumedAt: now })
    .where(isUsable(key))
    .returning({ id: emailCodes.id });
  return rows.some((row) => row.id === id);
}

function isUsable({ purpose, emailNorm }: CodeKey) {
  return and(
    eq(emailCodes.emailNorm, emailNorm),
    eq(emailCodes.purpose, purpose),
    isNull(emailCodes.consumedAt),
    isNull(emailCodes.supersededAt),
  );
}
