import { and, eq } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { type ApiKeyRow, apiKeys, identities } from "../db/schema.ts";

/** Stores a key. It replaces an earlier one. */
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

/** Deletes a key; false where there was none. */
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
 * Deletes an identity if the account has another way to sign in: a password, or an identity of another of `signInProviders`.
 * One statement: of two parallel deletes of the last two identities, one fails. Returns whether it was deleted.
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
    sql: `DELETE FROM identities WHERE user_id = :userId AND provider = :provider AND (
            (SELECT password_hash FROM users WHERE id = :userId) IS NOT NULL
            OR EXISTS (SELECT 1 FROM identities other WHERE other.user_id = :userId AND other.provider <> :provider
              AND other.provider IN (SELECT value FROM json_each(:others))))
          RETURNING subject`,
    args: { userId, provider, others: JSON.stringify(signInProviders) },
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
