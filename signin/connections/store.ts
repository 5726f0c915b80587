import { and, eq } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { type ApiKeyRow, apiKeys, identities } from "../db/schema.ts";

/** Connecting again replaces. */
export async function upsertApiKey(db: Database, row: ApiKeyRow): Promise<void> {
  const { ciphertext, keyId, hint, connectedAt } = row;
  await db
    .insert(apiKeys)
    .values(row)
    .onConflictDoUpdate({
      target: [apiKeys.userId, apiKeys.provider],
      set: { ciphertext, keyId, hint, connectedAt },
    });
}

/** Whether it was there. */
export async function deleteApiKey(
  db: Database,
  { userId, provider }: { userId: string; provider: string },
): Promise<boolean> {
  const query = db
    .delete(apiKeys)
    .where(and(eq(apiKeys.userId, userId), eq(apiKeys.provider, provider)));
  return (await query.returning({ provider: apiKeys.provider })).length > 0;
}

/**
 * Deletes an identity if the account has another way in: a password, or an identity of another of `signInProviders`. One
 * statement: of two at once that would each leave the other, one stays. Whether it was deleted.
 */
export async function deleteIdentityUnlessLast(
  db: Database,
  {
    userId,
    provider,
    signInProviders,
  }: { userId: string; provider: string; signInProviders: readonly string[] },
): Promise<boolean> {
  const { rows } = await db.$client.execute({
    sql: `DELETE FROM identities WHERE user_id = ?1 AND provider = ?2 AND (
            (SELECT password_hash FROM users WHERE id = ?1) IS NOT NULL
            OR EXISTS (SELECT 1 FROM identities other WHERE other.user_id = ?1 AND other.provider <> ?2
              AND other.provider IN (SELECT value FROM json_each(?3))))
          RETURNING subject`,
    args: [userId, provider, JSON.stringify(signInProviders)],
  });
  return rows.length > 0;
}

export async function hasIdentity(
  db: Database,
  { userId, provider }: { userId: string; provider: string },
): Promise<boolean> {
  const row = await db
    .select({ provider: identities.provider })
    .from(identities)
    .where(and(eq(identities.userId, userId), eq(identities.provider, provider)))
    .get();
  return row !== undefined;
}
