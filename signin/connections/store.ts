import { and, eq } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { hasLiveSession } from "../db/live-session.ts";
import { type ApiKeyRow, apiKeys, identities } from "../db/schema.ts";
import { hasOtherMethod, type UsableMethods } from "../db/sign-in-methods.ts";

/** Stores a key while the session is live; it replaces an earlier one. False where the session, or the account, is gone. */
export async function upsertApiKey(
  db: Database,
  row: ApiKeyRow,
  sessionId: string,
): Promise<boolean> {
  const { rows } = await db.$client.execute({
    sql: `INSERT INTO api_keys (user_id, provider, ciphertext, key_id, hint, connected_at)
          SELECT :userId, :provider, :ciphertext, :keyId, :hint, :connectedAt WHERE ${hasLiveSession(":connectedAt")}
          ON CONFLICT (user_id, provider) DO UPDATE SET ciphertext = excluded.ciphertext, key_id = excluded.key_id,
            hint = excluded.hint, connected_at = excluded.connected_at
          RETURNING provider`,
    args: { ...row, sessionId },
  });
  return rows.length > 0;
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
 * Deletes an identity if the account has another way to sign in. One statement: of two parallel deletes of the last two ways,
 * one fails. Returns whether it was deleted.
 */
export async function deleteIdentityUnlessLast(
  db: Database,
  { userId, provider }: { userId: string; provider: string },
  methods: UsableMethods,
): Promise<boolean> {
  const other = hasOtherMethod({ userId, provider }, methods);
  const { rows } = await db.$client.execute({
    sql: `DELETE FROM identities WHERE user_id = :userId AND provider = :provider AND ${other.sql} RETURNING subject`,
    args: other.args,
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
