import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { type Database, writeBatch } from "../../shared/database.ts";
import { emailCodes } from "../db/schema.ts";
import { EMAIL_CODE_ATTEMPTS_MAX } from "../limits.ts";
import type { CodePurpose } from "./codes.ts";

/** Which code: an address has at most one for each purpose that can still be used. */
export interface CodeKey {
  purpose: CodePurpose;
  emailNorm: string;
}

/** Stores a code; the one before it can no longer be used. */
export async function insertCode(
  db: Database,
  code: CodeKey & { id: string; codeHmac: string; now: number; expiresAt: number },
): Promise<void> {
  const { id, purpose, emailNorm, codeHmac, now, expiresAt } = code;
  await writeBatch(db, [
    db.update(emailCodes).set({ supersededAt: now }).where(isUsable({ purpose, emailNorm })),
    db.insert(emailCodes).values({ id, purpose, emailNorm, codeHmac, attempts: 0, expiresAt }),
  ]);
}

/** Counts an attempt and only then shows what to compare with: however many try at once, five may look. */
export async function countAttempt(
  db: Database,
  { now, ...key }: CodeKey & { now: number },
): Promise<{ id: string; codeHmac: string } | undefined> {
  const [row] = await db
    .update(emailCodes)
    .set({ attempts: sql`${emailCodes.attempts} + 1` })
    .where(
      and(
        isUsable(key),
        gt(emailCodes.expiresAt, now),
        lt(emailCodes.attempts, EMAIL_CODE_ATTEMPTS_MAX),
      ),
    )
    .returning({ id: emailCodes.id, codeHmac: emailCodes.codeHmac });
  return row;
}

/** Spends a code; of those who proved it at once, one succeeds. */
export async function consumeCode(
  db: Database,
  { id, now }: { id: string; now: number },
): Promise<boolean> {
  const rows = await db
    .update(emailCodes)
    .set({ consumedAt: now })
    .where(
      and(eq(emailCodes.id, id), isNull(emailCodes.consumedAt), isNull(emailCodes.supersededAt)),
    )
    .returning({ id: emailCodes.id });
  return rows.length > 0;
}

/** Forgets up to `limit` codes that expired before `before`; returns how many. */
export async function deleteOldCodes(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const old = db
    .select({ id: emailCodes.id })
    .from(emailCodes)
    .where(lt(emailCodes.expiresAt, before))
    .limit(limit);
  const gone = await db
    .delete(emailCodes)
    .where(sql`${emailCodes.id} IN ${old}`)
    .returning({ id: emailCodes.id });
  return gone.length;
}

function isUsable({ purpose, emailNorm }: CodeKey) {
  return and(
    eq(emailCodes.emailNorm, emailNorm),
    eq(emailCodes.purpose, purpose),
    isNull(emailCodes.consumedAt),
    isNull(emailCodes.supersededAt),
  );
}
