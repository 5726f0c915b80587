import type { Database } from "../../shared/database.ts";

/** A sealed secret of an account: the API key of a provider, or with an empty provider that of the authenticator app. */
export interface SealedKey {
  userId: string;
  provider: string;
  ciphertext: string;
  keyId: string;
}

/** The last row of a page. The next page begins after it. */
export type KeyCursor = Pick<SealedKey, "userId" | "provider">;

export const FIRST_PAGE: KeyCursor = { userId: "", provider: "" };

const SEALED = `(SELECT user_id, provider, ciphertext, key_id FROM api_keys
  UNION ALL SELECT user_id, '', ciphertext, key_id FROM second_factors)`;

/** The number of sealed secrets of each encryption key. */
export async function countByKeyId(db: Database): Promise<{ keyId: string; rows: number }[]> {
  const { rows } = await db.$client.execute(
    `SELECT key_id, count(*) AS rows FROM ${SEALED} GROUP BY key_id ORDER BY key_id`,
  );
  return rows.map((row) => ({ keyId: String(row.key_id), rows: Number(row.rows) }));
}

/** Of a page, `after` is the last row of the one before. */
interface KeyPage {
  after: KeyCursor;
  notSealedWith?: string;
  limit: number;
}

/** The next sealed secrets in order; `notSealedWith` leaves out those that this encryption key sealed. */
export async function listSealedKeys(
  db: Database,
  { after, notSealedWith = "", limit }: KeyPage,
): Promise<SealedKey[]> {
  const { rows } = await db.$client.execute({
    sql: `SELECT * FROM ${SEALED} WHERE (user_id, provider) > (:userId, :provider) AND key_id <> :notSealedWith
          ORDER BY user_id, provider LIMIT :limit`,
    args: { ...after, notSealedWith, limit },
  });
  return rows.map((row) => ({
    userId: String(row.user_id),
    provider: String(row.provider),
    ciphertext: String(row.ciphertext),
    keyId: String(row.key_id),
  }));
}

/** Replaces envelopes by others of the same secrets, unless a secret changed meanwhile. Returns how many. */
export async function replaceEnvelopes(
  db: Database,
  changes: readonly { from: SealedKey; ciphertext: string; keyId: string }[],
): Promise<number> {
  if (changes.length === 0) return 0;
  const statements = changes.map(({ from: { userId, provider, ciphertext: old }, ...to }) => {
    const args = { ...to, userId, old };
    const set = "SET ciphertext = :ciphertext, key_id = :keyId WHERE user_id = :userId";
    if (provider === "") {
      const sql = `UPDATE second_factors ${set} AND ciphertext = :old RETURNING user_id`;
      return { sql, args };
    }
    const sql = `UPDATE api_keys ${set} AND provider = :provider AND ciphertext = :old RETURNING user_id`;
    return { sql, args: { ...args, provider } };
  });
  const results = await db.$client.batch(statements, "write");
  return results.reduce((sum, { rows }) => sum + rows.length, 0);
}
