import type { Condition } from "./condition.ts";

/** A value that is good once, such as the state of a flow or the challenge of a passkey: its SHA-256, until it expires. */
interface Nonce {
  nonceHash: string;
  /** Unix seconds. */
  nonceExpiresAt: number;
}

/** SQL: whether the nonce `:nonceHash` is unused. Part of the statement that it allows. */
export const IS_UNUSED_NONCE =
  "NOT EXISTS (SELECT 1 FROM used_nonces WHERE nonce_hash = :nonceHash)";

/** Uses a nonce up if `condition` holds. Of any number of uses one gets a row. What has expired is refused before. */
export function consumeNonceStatement(nonce: Nonce, condition: Condition = { sql: "1", args: {} }) {
  return {
    sql: `INSERT INTO used_nonces (nonce_hash, expires_at) SELECT :nonceHash, :nonceExpiresAt WHERE ${condition.sql}
          ON CONFLICT DO NOTHING RETURNING nonce_hash`,
    args: { ...nonce, ...condition.args },
  };
}
