import { and, asc, count, eq, gt, ne, or } from "drizzle-orm";
import { type Database, writeBatch } from "../../shared/database.ts";
import { type ApiKeyRow, apiKeys } from "../db/schema.ts";

/** A stored API key, by its owner and provider. */
export type SealedKey = Pick<ApiKeyRow, "userId" | "provider" | "ciphertext" | "keyId">;

/** The last row of a page. The next page begins after it. */
export type KeyCursor = Pick<ApiKeyRow, "userId" | "provider">;

export const FIRST_PAGE: KeyCursor = { userId: "", provider: "" };

/** The number of API keys of each encryption key. */
export function countByKeyId(db: Database): Promise<{ keyId: string; rows: number }[]> {
  return db
    .select({ keyId: apiKeys.keyId, rows: count() })
    .from(apiKeys)
    .groupBy(apiKeys.keyId)
    .orderBy(asc(apiKeys.keyId));
}

/** The next API keys in order; `notSealedWith` leaves out those that this encryption key sealed. */
export function listSealedKeys(
  db: Database,
  { after, notSealedWith, limit }: { after: KeyCursor; notSealedWith?: string; limit: number },
): Promise<SealedKey[]> {
  const { userId, provider, ciphertext, keyId } = apiKeys;
  const isBehind = or(
    gt(userId, after.userId),
    and(eq(userId, after.userId), gt(provider, after.provider)),
  );
  return db
    .select({ userId, provider, ciphertext, keyId })
    .from(apiKeys)
    .where(and(isBehind, notSealedWith === undefined ? undefined : ne(keyId, notSealedWith)))
    .orderBy(asc(userId), asc(provider))
    .limit(limit);
}

/** Replaces envelopes by others of the same API keys, unless a key changed meanwhile. Returns how many. */
export async function replaceEnvelopes(
  db: Database,
  changes: readonly { from: SealedKey; ciphertext: string; keyId: string }[],
): Promise<number> {
  if (changes.length === 0) return 0;
  const results = await writeBatch(
    db,
    changes.map(({ from, ciphertext, keyId }) =>
      db
        .update(apiKeys)
        .set({ ciphertext, keyId })
        .where(
          and(
            eq(apiKeys.userId, from.userId),
            eq(apiKeys.provider, from.provider),
            eq(apiKeys.ciphertext, from.ciphertext),
          ),
        )
        .returning({ provider: apiKeys.provider }),
    ),
  );
  return results.reduce((sum, { rows }) => sum + rows.length, 0);
}
