import { and, asc, eq } from "drizzle-orm";
import { Batch } from "../../shared/batch.ts";
import type { Database } from "../../shared/database.ts";
import { hasLiveSession } from "../db/live-session.ts";
import { type ApiKeyRow, apiKeys, identities } from "../db/schema.ts";
import { hasOtherMethod, type UsableMethods } from "../db/sign-in-methods.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { revokeBegunStatement } from "../tokens/session-store.ts";

/** Stores a key while the session is live; it replaces an earlier one. False if the session, or the account, is gone. */
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

/** Deletes a key; false if there was none. */
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
 * Deletes an identity if the account has another way to sign in, and ends the sessions that it began. One statement decides: of two
 * parallel deletes of the last two ways, one fails. Returns whether it was deleted.
 */
export async function deleteIdentityUnlessLast(
  db: Database,
  { userId, sessionId, provider, now }: AccessClaims & { provider: string; now: number },
  methods: UsableMethods,
): Promise<boolean> {
  const other = hasOtherMethod({ userId, provider }, methods);
  const batch = new Batch();
  const deleted = batch.add({
    sql: `DELETE FROM identities WHERE user_id = :userId AND provider = :provider AND ${other.sql} RETURNING subject`,
    args: other.args,
  });
  batch.add(revokeBegunStatement({ userId, exceptId: sessionId, provider }, now));
  await batch.run(db);
  return deleted().length > 0;
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

/** An identity of the account, and whether its sign-ins are fresh proofs. */
interface ListedIdentity {
  provider: string;
  linkedAt: number;
  isUnconfirmed: boolean | null;
}

/** The identities of an account, the oldest first. */
export function listIdentities(db: Database, userId: string): Promise<ListedIdentity[]> {
  const { provider, linkedAt, isUnconfirmed } = identities;
  return db
    .select({ provider, linkedAt, isUnconfirmed })
    .from(identities)
    .where(eq(identities.userId, userId))
    .orderBy(asc(linkedAt), asc(provider));
}

/** Makes the sign-ins of an identity fresh proofs from now on; false if the account has none of the provider. */
export async function confirmIdentity(
  db: Database,
  { userId, provider }: { userId: string; provider: string },
): Promise<boolean> {
  const rows = await db
    .update(identities)
    .set({ isUnconfirmed: null })
    .where(and(eq(identities.userId, userId), eq(identities.provider, provider)))
    .returning({ provider: identities.provider });
  return rows.length > 0;
}
