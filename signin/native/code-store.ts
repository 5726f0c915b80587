import { eq } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import type { Condition } from "../db/condition.ts";
import { type NativeCodeRow, nativeCodes } from "../db/schema.ts";

/** Stores a code, unless the account was deleted meanwhile: then nothing can be exchanged. */
export async function insertNativeCode(
  db: Database,
  row: Pick<NativeCodeRow, "codeHash" | "userId" | "provider" | "codeChallenge" | "expiresAt">,
): Promise<void> {
  await db.$client.execute({
    sql: `INSERT INTO native_codes (code_hash, user_id, provider, code_challenge, expires_at)
          SELECT :codeHash, id, :provider, :codeChallenge, :expiresAt FROM users WHERE id = :userId`,
    args: row,
  });
}

/** The user of a code, consumed or not, and the session that it began. */
export function findNativeCode(
  db: Database,
  codeHash: string,
): Promise<Pick<NativeCodeRow, "userId" | "sessionId" | "provider"> | undefined> {
  const { userId, sessionId, provider } = nativeCodes;
  return db
    .select({ userId, sessionId, provider })
    .from(nativeCodes)
    .where(eq(nativeCodes.codeHash, codeHash))
    .get();
}

/** Consumes a code, also with a wrong verifier, and stores the session that it may begin. Returns a row once. */
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
    sql: `UPDATE native_codes SET consumed_at = :now, session_id = :sessionId
          WHERE code_hash = :codeHash AND consumed_at IS NULL AND expires_at > :now
          RETURNING user_id`,
    args: { codeHash, sessionId, now },
  };
}

/** The condition of the session: it consumed the code, and the code was made for this challenge. */
export function boughtByCode(codeHash: string, challenge: string): Condition {
  return {
    sql: `EXISTS (SELECT 1 FROM native_codes
            WHERE code_hash = :codeHash AND session_id = :id AND user_id = :userId AND code_challenge = :challenge)`,
    args: { codeHash, challenge },
  };
}
