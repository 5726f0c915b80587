// Slow: it deletes over a thousand rows.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cli, insertSession, insertUser, KINDS, openMigrated } from "../../support/signin/cli.ts";
import { machineTimeSec } from "../../support/time.ts";

for (const [kind, open] of KINDS) {
  describe(`cleanup on ${kind}`, () => {
    it("deletes what is over and old, over several batches, and nothing else", async () => {
      await using database = await openMigrated(open);
      const now = machineTimeSec();
      const day = 86_400;
      await insertUser(database, "user", "ann@example.test");
      await insertSession(database, "alive", "user");
      const old = 1_100;
      const nonce = "INSERT INTO used_nonces (nonce_hash, expires_at)";
      const code = (id: string, expiresAt: number) =>
        `INSERT INTO email_codes (id, purpose, email_norm, code_hmac, attempts, expires_at)
          VALUES ('${id}', 'reset', 'e', 'h', 0, ${expiresAt})`;
      const native = (id: string, expiresAt: number) =>
        `INSERT INTO native_codes (code_hash, user_id, code_challenge, expires_at) VALUES ('${id}', 'user', 'c', ${expiresAt})`;
      const event = (type: string, at: number) =>
        `INSERT INTO audit_events (at, type, outcome) VALUES (${at}, '${type}', 'success')`;
      const statements = [
        `${nonce} WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${old})
           SELECT 'old' || i, ${now - 1} FROM n`,
        `${nonce} VALUES ('new', ${now + 600})`,
        code("old", now - 2 * day),
        code("new", now + 60),
        native("old", now - 2 * day),
        native("new", now - 60),
        `INSERT INTO invitations VALUES ('old', ${now - 1}), ('new', ${now + 600})`,
        event("old", now - 91 * day),
        event("new", now - 89 * day),
        `INSERT INTO rate_limits (k, ws, n) VALUES ('old', ${now - 2 * day}, 1), ('new', ${now - 60}, 1)`,
      ];
      for (const sql of statements) await database.db.$client.execute(sql);
      await insertSession(database, "ended long ago", "user");
      await insertSession(database, "ended today", "user");
      await database.db.$client.execute(
        `UPDATE sessions SET revoked_at = ${now - 2 * day} WHERE id = 'ended long ago'`,
      );
      await database.db.$client.execute(
        `UPDATE sessions SET revoked_at = ${now - 60} WHERE id = 'ended today'`,
      );

      const { code: exit, json, error } = await cli(database.env, ["--json", "cleanup"]);
      assert.equal(exit, 0, error);
      assert.deepEqual(json, [
        {
          used_nonces: old,
          native_codes: 1,
          email_codes: 1,
          invitations: 1,
          sessions: 1,
          rate_limits: 1,
          audit_events: 1,
        },
      ]);
      const left = async (sql: string) =>
        (await database.db.$client.execute(sql)).rows.map((row) => row[0]);
      assert.deepEqual(await left("SELECT nonce_hash FROM used_nonces"), ["new"]);
      assert.deepEqual(await left("SELECT id FROM email_codes"), ["new"]);
      assert.deepEqual(await left("SELECT email_norm FROM invitations"), ["new"]);
      assert.deepEqual(await left("SELECT code_hash FROM native_codes"), ["new"]);
      assert.deepEqual(await left("SELECT k FROM rate_limits"), ["new"]);
      assert.deepEqual(await left("SELECT type FROM audit_events"), ["new"]);
      assert.deepEqual(await left("SELECT id FROM sessions ORDER BY id"), ["alive", "ended today"]);
    });
  });
}
