import { and, eq, isNotNull } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { type NativeCodeRow, nativeCodes } from "../db/schema.ts";

export async function insertNativeCode(
  db: Database,
  row: Pick<NativeCodeRow, "codeHash" | "userId" | "codeChallenge" | "expiresAt">,
): Promise<void> {
  await db.insert(nativeCodes).values(row);
}

/** Whose code it is, spent or not. */
export async function findNativeCodeOwner(
  db: Database,
  codeHash: string,
): Promise<string | undefined> {
  const row = await db
    .select({ userId: nativeCodes.userId })
    .from(nativeCodes)
    .where(eq(nativeCodes.codeHash, codeHash))
    .get();
  return row?.userId;
}

/** Spends a code, whatever the verifier, and notes the session that it may buy; a row comes back once. */
export function consumeNativeCodeStatement({
  codeHash,
  sessionId,
  now,
}: {
  codeHash: string;
  sessionId: string;
  now: number;
}) {
  return {
    sql: `UPDATE native_codes SET consumed_at = ?3, session_id = ?2
          WHERE code_hash = ?1 AND consumed_at IS NULL AND expires_at > ?3
          RETURNING user_id`,
    args: [codeHash, sessionId, now],
  };
}

/** For `prepareSession`: this very session spent the code, and the challenge is the one that it was made for. */
export function boughtByCode(codeHash: string, challenge: string) {
  return {
    sql: `EXISTS (SELECT 1 FROM native_codes
            WHERE code_hash = :codeHash AND session_id = :id AND user_id = :userId AND code_challenge = :challenge)`,
    args: { codeHash, challenge },
  };
}

/** The session that a spent code was tried for. */
export async function findSpentCodeSession(
  db: Database,
  codeHash: string,
): Promise<string | undefined> {
  const row = await db
    .select({ sessionId: nativeCodes.sessionId })
    .from(nativeCodes)
    .where(and(eq(nativeCodes.codeHash, codeHash), isNotNull(nativeCodes.consumedAt)))
    .get();
  return row?.sessionId ?? undefined;
}
