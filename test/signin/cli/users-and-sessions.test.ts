// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  cli,
  insertKeys,
  insertSession,
  insertUser,
  KINDS,
  openMigrated,
  openServerDatabase,
} from "../../support/signin/cli.ts";

for (const [kind, open] of KINDS) {
  describe(`users and sessions on ${kind}`, () => {
    it("are listed in pages, and narrowed down", async () => {
      await using database = await openMigrated(open);
      for (const name of ["cem", "ann", "bob", "dora"]) {
        await insertUser(database, `id-${name}`, `${name}@Example.test`);
      }
      const emails = (json: { email: string }[]) => json.map(({ email }) => email.split("@")[0]);
      const page = await cli(database.env, ["--json", "users", "list", "--limit", "2"]);
      assert.deepEqual(emails(page.json[0]), ["ann", "bob"]);
      const after = ["--after", "bob@example.test"];
      const next = await cli(database.env, ["--json", "users", "list", ...after]);
      assert.deepEqual(emails(next.json[0]), ["cem", "dora"]);
      const found = await cli(database.env, ["--json", "users", "list", "--contains", "NN@"]);
      assert.deepEqual(emails(found.json[0]), ["ann"]);
      const text = await cli(database.env, ["users", "list"]);
      assert.match(text.out, /^id {5,}email/);
      assert.ok(!text.out.includes("secret-hash"));
    });

    it("are found by a text as it is written, also with characters of a pattern", async () => {
      await using database = await openMigrated(open);
      for (const name of ["a_b", "axb", "c%d", "cd"]) {
        await insertUser(database, `id-${name}`, `${name}@example.test`);
      }
      for (const [text, found] of [
        ["A_B", "a_b"],
        ["c%d", "c%d"],
      ] as const) {
        const { json } = await cli(database.env, ["--json", "users", "list", "--contains", text]);
        const emails = json[0].map(({ email }: { email: string }) => email);
        assert.deepEqual(emails, [`${found}@example.test`]);
      }
    });

    it("cannot move the operator's cursor by what they call themselves", async () => {
      await using database = await openMigrated(open);
      await insertUser(database, "user", "ann@example.test");
      await database.db.$client.execute({
        sql: "UPDATE users SET display_name = ?",
        args: ["\u001b[2Jgone\r\nforged  line\u202edesrever\u2028below\u2029\u200b"],
      });
      const { out } = await cli(database.env, ["users", "list"]);
      assert.match(out, /\?\[2Jgone\?\?forged {2}line\?desrever\?below\?\?/);
      assert.equal(out.trimEnd().split("\n").length, 2);
    });

    it("are shown with what belongs to them, by id or by address", async () => {
      await using database = await openMigrated(open);
      await insertKeys(database, 1);
      await insertSession(database, "s1", "user");
      await database.db.$client.execute(
        "INSERT INTO identities (provider, subject, user_id, linked_at) VALUES ('google', 'subject', 'user', 1)",
      );
      const before = await cli(database.env, ["--json", "users", "show", "user"]);
      assert.equal(before.json[0].second_factor, false);
      await database.db.$client.batch([
        "INSERT INTO second_factors (user_id, ciphertext, key_id, enabled_at, expires_at) VALUES ('user', 'c', 'k', 1, 1)",
        "INSERT INTO recovery_codes (code_hash, user_id) VALUES ('hash', 'user')",
      ]);
      for (const name of ["user", "ANN@example.test"]) {
        const { code, json, error } = await cli(database.env, ["--json", "users", "show", name]);
        assert.equal(code, 0, error);
        const [facts, connections] = json;
        assert.equal(facts.id, "user");
        assert.equal(facts.password, true);
        assert.deepEqual([facts.second_factor, facts.recovery_codes], [true, 1]);
        assert.equal(facts.sessions, 1);
        assert.equal(facts.created, "2026-01-02T03:04:05.000Z");
        assert.deepEqual(
          connections.map(({ provider, kind: way }: Record<string, string>) => [provider, way]),
          [
            ["google", "login"],
            ["provider-0000", "api_key"],
          ],
        );
      }
    });

    it("are deleted whole, when asked with --yes, and the trail says so", async () => {
      await using database = await openMigrated(open);
      await insertKeys(database, 2);
      await insertUser(database, "other", "bob@example.test");
      await insertSession(database, "s1", "user");
      await insertSession(database, "s2", "other");
      const asked = await cli(database.env, ["users", "delete", "ann@example.test"]);
      assert.equal(asked.code, 1);
      assert.match(asked.error, /--yes/);
      const done = await cli(database.env, ["users", "delete", "ann@example.test", "--yes"]);
      assert.equal(done.code, 0, done.error);
      const left = async (sql: string) =>
        (await database.db.$client.execute(sql)).rows.map((row) => row[0]);
      assert.deepEqual(await left("SELECT id FROM users"), ["other"]);
      assert.deepEqual(await left("SELECT id FROM sessions"), ["s2"]);
      assert.deepEqual(await left("SELECT provider FROM api_keys"), []);
      assert.deepEqual(await left("SELECT type FROM audit_events"), ["admin.user_deleted"]);
      const again = await cli(database.env, ["users", "delete", "ann@example.test", "--yes"]);
      assert.equal(again.code, 1);
    });

    it("have sessions that are listed and ended, one or all", async () => {
      await using database = await openMigrated(open);
      await insertUser(database, "user", "ann@example.test");
      for (const id of ["s1", "s2", "s3"]) await insertSession(database, id, "user");
      const list = async () =>
        (await cli(database.env, ["--json", "sessions", "list", "user"])).json[0].length;
      assert.equal(await list(), 3);
      const one = await cli(database.env, ["--json", "sessions", "revoke", "s2"]);
      assert.deepEqual(one.json, [{ revoked: 1 }]);
      assert.equal(await list(), 2);
      assert.equal((await cli(database.env, ["sessions", "revoke", "s2"])).code, 1);
      const all = await cli(database.env, ["--json", "sessions", "revoke", "--user", "user"]);
      assert.deepEqual(all.json, [{ revoked: 2 }]);
      assert.equal(await list(), 0);
      const { rows } = await database.db.$client.execute(
        "SELECT DISTINCT revoke_reason AS reason FROM sessions",
      );
      assert.deepEqual(
        rows.map(({ reason }) => reason),
        ["admin"],
      );
      const trail = await database.db.$client.execute(
        "SELECT session_id FROM audit_events WHERE type = 'admin.session_revoked' AND user_id = 'user' ORDER BY session_id",
      );
      assert.deepEqual(
        trail.rows.map((row) => row[0]),
        ["s1", "s2", "s3"],
      );
    });

    for (const args of [
      ["sessions", "revoke"],
      ["sessions", "revoke", "s1", "--user", "u"],
    ]) {
      it(`are not ended by \`${args.join(" ")}\`, which does not say whose`, async () => {
        await using database = await openMigrated(open);
        const { code, error } = await cli(database.env, args);
        assert.equal(code, 1);
        assert.match(error, /either/);
      });
    }
  });
}

const CHANGED_ON = [
  ...KINDS,
  ["a libSQL server that answers after 40 ms", () => openServerDatabase({ latencyMs: 40 })],
] as const;
for (const [kind, open] of CHANGED_ON) {
  describe(`accounts that an operator changes on ${kind}`, () => {
    it("are disabled and enabled, which ends sessions, and is audited", async () => {
      await using database = await openMigrated(open);
      await insertUser(database, "user", "ann@example.test");
      await insertSession(database, "s1", "user");
      const run = (...args: string[]) => cli(database.env, ["--json", "users", ...args]);
      assert.equal((await run("disable", "ANN@example.test")).code, 0);
      const [shown] = (await run("show", "user")).json;
      assert.deepEqual([shown.sessions, typeof shown.disabled], [0, "string"]);
      assert.equal((await run("enable", "user")).code, 0);
      assert.equal((await run("show", "user")).json[0].disabled, null);
      const unknown = await run("disable", "unknown");
      assert.deepEqual([unknown.code, /no account/.test(unknown.error)], [1, true]);
      const { rows } = await database.db.$client.execute(
        "SELECT type FROM audit_events WHERE user_id = 'user' ORDER BY id",
      );
      assert.deepEqual(
        rows.map(({ type }) => type),
        ["admin.user_disabled", "admin.user_enabled"],
      );
    });

    it("lose their second factor to an operator who says yes, which is audited", async () => {
      await using database = await openMigrated(open);
      await insertUser(database, "user", "ann@example.test");
      const run = (...args: string[]) => cli(database.env, ["--json", "users", ...args]);
      const reset = (...args: string[]) => run("reset-second-factor", "ann@example.test", ...args);
      const without = await reset("--yes");
      assert.equal(without.code, 1);
      assert.match(without.error, /has no second factor/);
      await database.db.$client.execute(
        "INSERT INTO second_factors (user_id, ciphertext, key_id, enabled_at, expires_at) VALUES ('user', 'c', 'k', 1, 1)",
      );
      await database.db.$client.execute(
        "INSERT INTO recovery_codes (code_hash, user_id) VALUES ('h', 'user')",
      );
      assert.equal((await reset()).code, 1, "without --yes");
      const done = await reset("--yes");
      assert.deepEqual([done.code, done.json], [0, [{ reset: "user", mail: "none" }]]);
      const left = await database.db.$client.execute(
        "SELECT user_id FROM second_factors UNION ALL SELECT user_id FROM recovery_codes",
      );
      assert.deepEqual(left.rows, []);
      const { rows } = await database.db.$client.execute("SELECT type, user_id FROM audit_events");
      assert.deepEqual(
        rows.map(({ type, user_id }) => [type, user_id]),
        [["admin.second_factor_reset", "user"]],
      );
    });

    it("get another address, which ends sessions, and is audited; a taken one is refused", async () => {
      await using database = await openMigrated(open);
      await insertUser(database, "user", "ann@example.test");
      await insertUser(database, "other", "bob@example.test");
      await insertSession(database, "s1", "user");
      const run = (...args: string[]) => cli(database.env, ["--json", "users", ...args]);
      for (const [address, reason] of [
        ["BOB@example.test", /Another account already has the address/],
        ["ann", /is not an e-mail address/],
      ] as const) {
        const refused = await run("set-email", "user", address);
        assert.equal(refused.code, 1);
        assert.match(refused.error, reason);
      }
      assert.equal((await run("show", "user")).json[0].sessions, 1);
      assert.equal((await run("set-email", "user", "Ann.New@example.test")).code, 0);
      const [shown] = (await run("show", "ann.new@example.test")).json;
      assert.deepEqual([shown.email, shown.sessions], ["Ann.New@example.test", 0]);
      const { rows } = await database.db.$client.execute(
        "SELECT type, detail_json FROM audit_events",
      );
      assert.deepEqual(
        rows.map(({ type, detail_json }) => [type, detail_json]),
        [["admin.email_changed", null]],
      );
    });
  });
}
