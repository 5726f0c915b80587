import type { Database } from "../../shared/database.ts";
import type { Condition } from "./condition.ts";

// Every table with rows of an account, but for the audit trail, which stays. Foreign keys cascade, where the server enforces them.
const OWN_TABLES = [
  "sessions",
  "native_codes",
  "api_keys",
  "identities",
  "passkeys",
  "second_factors",
  "recovery_codes",
];

/**
 * Deletes an account if `condition` holds, and everything of it but the trail. False if nothing was deleted. `codeKeys` are
 * the keys of its mailed codes. The callback of a pending link flow answers that the session has ended (Sign-in §7).
 */
export async function deleteAccountRows(
  db: Database,
  { userId, codeKeys }: { userId: string; codeKeys: readonly string[] },
  condition: Condition = { sql: "1", args: {} },
): Promise<boolean> {
  const isGone = "NOT EXISTS (SELECT 1 FROM users WHERE id = :userId)";
  const args = { userId };
  const statements = [
    {
      sql: `DELETE FROM users WHERE id = :userId AND ${condition.sql} RETURNING id`,
      args: { ...args, ...condition.args },
    },
    ...OWN_TABLES.map((table) => ({
      sql: `DELETE FROM ${table} WHERE user_id = :userId AND ${isGone}`,
      args,
    })),
    {
      sql: `DELETE FROM email_codes WHERE email_norm IN (SELECT value FROM json_each(:keys)) AND ${isGone}`,
      args: { ...args, keys: JSON.stringify(codeKeys) },
    },
  ];
  const [deleted] = await db.$client.batch(statements, "write");
  return deleted?.rows.length === 1;
}
