import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { describe, it } from "node:test";
import { fromBase64Url } from "../../../shared/bytes.ts";
import { createSealedBox } from "../../../shared/sealed-box.ts";
import { reencryptKeys } from "../../../signin/cli/keys.ts";
import { apiKeyContext } from "../../../signin/connections/api-keys.ts";
import { migrations } from "../../../signin/db/migrations.generated.ts";
import { KEY_PAGE_ROWS } from "../../../signin/limits.ts";
import {
  CLI_KEYS,
  type CliDatabase,
  cli,
  openEmbeddedFolder,
  openServerDatabase,
} from "../../support/signin/cli.ts";

const FAR = 4_000_000_000;

async function insertUser({ db }: CliDatabase, id: string, email: string): Promise<void> {
  await db.$client.execute({
    sql: "INSERT INTO users (id, email, email_norm, display_name, password_hash, created_at, updated_at) VALUES (?, ?, ?, 'Name', 'secret-hash', 1767323045, 1)",
    args: [id, email, email.toLowerCase()],
  });
}

async function insertSession({ db }: CliDatabase, id: string, userId: string): Promise<void> {
  await db.$client.execute({
    sql: `INSERT INTO sessions (id, user_id, kind, counter, rotated_at, created_at, last_seen_at, idle_expires_at, expires_at)
          VALUES (?, ?, 'native', 0, 1, 1, 1, ${FAR}, ${FAR})`,
    args: [id, userId],
  });
}

function boxOf(...keys: string[]) {
  return createSealedBox(keys.map((key) => fromBase64Url(key) ?? assert.fail()));
}

async function insertKeys(database: CliDatabase, count: number, key = CLI_KEYS.old) {
  const box = await boxOf(key);
  await insertUser(database, "user", "ann@example.test");
  for (let at = 0; at < count; at += 1) {
    const provider = `provider-${String(at).padStart(4, "0")}`;
    const sealed = await box.seal(`sk-canary-${at}`, apiKeyContext("user", provider));
    await database.db.$client.execute({
      sql: "INSERT INTO api_keys (user_id, provider, ciphertext, key_id, hint, connected_at) VALUES ('user', ?, ?, ?, '****', 1)",
      args: [provider, sealed, box.keyId],
    });
  }
}

const KINDS = [
  ["the embedded database", openEmbeddedFolder],
  ["a libSQL server", openServerDatabase],
] as const;

for (const [kind, open] of KINDS) {
  /** A database that is up to date. */
  const openMigrated = async () => {
    const database = await open();
    const { code, error } = await cli(database.env, ["migrate"]);
    assert.equal(code, 0, error);
    return database;
  };

  describe(`migrate on ${kind}`, () => {
    it("applies what is missing, once, and says what", async () => {
      await using database = await open();
      const dry = await cli(database.env, ["--json", "migrate", "--dry-run"]);
      const steps = migrations.map(({ name }) => name);
      assert.equal(dry.json[0].pending, steps.join(", "));
      const first = await cli(database.env, ["--json", "migrate"]);
      assert.equal(first.code, 0, first.error);
      assert.equal(first.json[0].applied, steps.join(", "));
      const second = await cli(database.env, ["--json", "migrate"]);
      assert.equal(second.json[0].pending, "none");
      const { rows } = await database.db.$client.execute("SELECT name FROM schema_migrations");
      assert.equal(rows.length, steps.length);
    });

    it("refuses a database of a newer version", async () => {
      await using database = await openMigrated();
      await database.db.$client.execute(
        "INSERT INTO schema_migrations (name, checksum, applied_at) VALUES ('9999_later', 'x', 'x')",
      );
      const { code, error } = await cli(database.env, ["migrate"]);
      assert.equal(code, 1);
      assert.match(error, /9999_later/);
    });

    it("comes before every other command", async () => {
      await using database = await open();
      for (const args of [
        ["users", "list"],
        ["keys", "check"],
        ["cleanup"],
        ["sessions", "list", "x"],
      ]) {
        const { code, error } = await cli(database.env, args);
        assert.equal(code, 1, args.join(" "));
        assert.match(error, /Run `migrate` first/);
      }
    });
  });

  describe(`keys on ${kind}`, () => {
    it("are counted by what sealed them, and nothing of them is shown", async () => {
      await using database = await openMigrated();
      await insertKeys(database, 3);
      const env = { ...database.env, TOKEN_ENCRYPTION_KEY: `${CLI_KEYS.new},${CLI_KEYS.old}` };
      const { code, json, out, error } = await cli(env, ["--json", "keys", "check"]);
      assert.equal(code, 0, error);
      const [counts, keys] = json;
      assert.deepEqual(
        { ...counts, current_key: undefined },
        { rows: 3, current: 0, older: 3, broken: 0, current_key: undefined },
      );
      assert.equal(keys.length, 1);
      assert.ok(!out.includes("sk-canary"));
    });

    it("that cannot be opened make the check fail", async () => {
      await using database = await openMigrated();
      await insertKeys(database, 3);
      const env = { ...database.env, TOKEN_ENCRYPTION_KEY: CLI_KEYS.new };
      const { code, json, error } = await cli(env, ["--json", "keys", "check"]);
      assert.equal(code, 1);
      assert.equal(json[0].broken, 3);
      assert.match(error, /TOKEN_ENCRYPTION_KEY/);
      assert.ok(!error.includes(CLI_KEYS.new));
    });

    it("that were moved to another row are found", async () => {
      await using database = await openMigrated();
      await insertKeys(database, 2);
      await database.db.$client.execute(
        "UPDATE api_keys SET ciphertext = (SELECT ciphertext FROM api_keys WHERE provider = 'provider-0000') WHERE provider = 'provider-0001'",
      );
      const { code, json } = await cli(database.env, ["--json", "keys", "check"]);
      assert.equal(code, 1);
      assert.equal(json[0].broken, 1);
    });

    it("are sealed anew over several pages, and again there is nothing to do", async () => {
      await using database = await openMigrated();
      const count = KEY_PAGE_ROWS * 2 + 5;
      await insertKeys(database, count);
      const env = { ...database.env, TOKEN_ENCRYPTION_KEY: `${CLI_KEYS.new},${CLI_KEYS.old}` };
      const first = await cli(env, ["--json", "keys", "re-encrypt"]);
      assert.equal(first.code, 0, first.error);
      assert.deepEqual(first.json, [{ reencrypted: count, changed: 0, broken: 0 }]);
      const second = await cli(env, ["--json", "keys", "re-encrypt"]);
      assert.deepEqual(second.json, [{ reencrypted: 0, changed: 0, broken: 0 }]);

      const alone = { ...database.env, TOKEN_ENCRYPTION_KEY: CLI_KEYS.new };
      assert.equal((await cli(alone, ["keys", "check"])).code, 0, "the old key is not needed");
      const box = await boxOf(CLI_KEYS.new);
      const { rows } = await database.db.$client.execute(
        "SELECT ciphertext FROM api_keys WHERE provider = 'provider-0204'",
      );
      const context = apiKeyContext("user", "provider-0204");
      assert.equal(await box.open(String(rows[0]?.ciphertext), context), "sk-canary-204");
    });

    it("that cannot be opened stay as they are, the others are sealed anew", async () => {
      await using database = await openMigrated();
      await insertKeys(database, 4);
      await database.db.$client.execute(
        "UPDATE api_keys SET ciphertext = 'v1.deadbeef.AAAA.AAAA' WHERE provider = 'provider-0002'",
      );
      const env = { ...database.env, TOKEN_ENCRYPTION_KEY: `${CLI_KEYS.new},${CLI_KEYS.old}` };
      const { code, json, error } = await cli(env, ["--json", "keys", "re-encrypt"]);
      assert.equal(code, 1);
      assert.deepEqual(json, [{ reencrypted: 3, changed: 0, broken: 1 }]);
      assert.match(error, /stay as they are/);
      const { rows } = await database.db.$client.execute(
        "SELECT ciphertext FROM api_keys WHERE provider = 'provider-0002'",
      );
      assert.equal(rows[0]?.ciphertext, "v1.deadbeef.AAAA.AAAA");
    });

    it("that their owner replaces meanwhile are left to the owner", async () => {
      await using database = await openMigrated();
      await insertKeys(database, 3);
      const real = await boxOf(CLI_KEYS.new, CLI_KEYS.old);
      let sealed = 0;
      const box = {
        ...real,
        seal: async (secret: string, context: string) => {
          sealed += 1;
          if (sealed === 2) {
            await database.db.$client.execute(
              "UPDATE api_keys SET ciphertext = 'the new one' WHERE provider = 'provider-0001'",
            );
          }
          return real.seal(secret, context);
        },
      };
      const report = await reencryptKeys(database, box, () => {});
      assert.deepEqual(report, { reencrypted: 2, changed: 1, broken: 0 });
      const { rows } = await database.db.$client.execute(
        "SELECT ciphertext FROM api_keys WHERE provider = 'provider-0001'",
      );
      assert.equal(rows[0]?.ciphertext, "the new one");
    });

    it("can be sealed anew in two goes: a stop between pages loses nothing", async () => {
      await using database = await openMigrated();
      const count = KEY_PAGE_ROWS + 10;
      await insertKeys(database, count);
      const env = { ...database.env, TOKEN_ENCRYPTION_KEY: `${CLI_KEYS.new},${CLI_KEYS.old}` };
      const stopped = await cli(env, ["keys", "re-encrypt"], AbortSignal.abort());
      assert.equal(stopped.code, 1);
      assert.match(stopped.error, /run it again/);
      const rest = await cli(env, ["--json", "keys", "re-encrypt"]);
      assert.deepEqual(rest.json, [{ reencrypted: 10, changed: 0, broken: 0 }]);
    });
  });

  describe(`users and sessions on ${kind}`, () => {
    it("are listed in pages, and narrowed down", async () => {
      await using database = await openMigrated();
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

    it("cannot move the operator's cursor by what they call themselves", async () => {
      await using database = await openMigrated();
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
      await using database = await openMigrated();
      await insertKeys(database, 1);
      await insertSession(database, "s1", "user");
      await database.db.$client.execute(
        "INSERT INTO identities (provider, subject, user_id, linked_at) VALUES ('google', 'subject', 'user', 1)",
      );
      for (const name of ["user", "ANN@example.test"]) {
        const { code, json, error } = await cli(database.env, ["--json", "users", "show", name]);
        assert.equal(code, 0, error);
        const [facts, connections] = json;
        assert.equal(facts.id, "user");
        assert.equal(facts.password, true);
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
      await using database = await openMigrated();
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
      await using database = await openMigrated();
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
        await using database = await openMigrated();
        const { code, error } = await cli(database.env, args);
        assert.equal(code, 1);
        assert.match(error, /either/);
      });
    }
  });

  describe(`cleanup on ${kind}`, () => {
    it("deletes what is over and old, over several batches, and nothing else", async () => {
      await using database = await openMigrated();
      const now = Math.floor(Date.now() / 1000);
      const day = 86_400;
      await insertUser(database, "user", "ann@example.test");
      await insertSession(database, "alive", "user");
      const old = 1_100;
      const flow =
        "INSERT INTO auth_flows (state_hash, provider, mode, nonce, pkce_verifier_enc, expires_at)";
      const code = (id: string, expiresAt: number) =>
        `INSERT INTO email_codes (id, purpose, email_norm, code_hmac, attempts, expires_at) VALUES ('${id}', 'reset', 'e', 'h', 0, ${expiresAt})`;
      const native = (id: string, expiresAt: number) =>
        `INSERT INTO native_codes (code_hash, user_id, code_challenge, expires_at) VALUES ('${id}', 'user', 'c', ${expiresAt})`;
      const event = (type: string, at: number) =>
        `INSERT INTO audit_events (at, type, outcome) VALUES (${at}, '${type}', 'success')`;
      const statements = [
        `${flow} WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${old})
           SELECT 'old' || i, 'p', 'login', 'n', 'v', ${now - 2 * day} FROM n`,
        `${flow} VALUES ('new', 'p', 'login', 'n', 'v', ${now - 60})`,
        code("old", now - 2 * day),
        code("new", now + 60),
        native("old", now - 2 * day),
        native("new", now - 60),
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
          flows: old,
          native_codes: 1,
          email_codes: 1,
          sessions: 1,
          rate_limits: 1,
          audit_events: 1,
        },
      ]);
      const left = async (sql: string) =>
        (await database.db.$client.execute(sql)).rows.map((row) => row[0]);
      assert.deepEqual(await left("SELECT state_hash FROM auth_flows"), ["new"]);
      assert.deepEqual(await left("SELECT id FROM email_codes"), ["new"]);
      assert.deepEqual(await left("SELECT code_hash FROM native_codes"), ["new"]);
      assert.deepEqual(await left("SELECT k FROM rate_limits"), ["new"]);
      assert.deepEqual(await left("SELECT type FROM audit_events"), ["new"]);
      assert.deepEqual(await left("SELECT id FROM sessions ORDER BY id"), ["alive", "ended today"]);
    });
  });
}

describe("the embedded database", () => {
  it("is not made by a command that only looks", async () => {
    const database = await openEmbeddedFolder();
    await database[Symbol.asyncDispose]();
    const { code, error } = await cli(database.env, ["users", "list"]);
    assert.equal(code, 1);
    assert.match(error, /There is no database at/);
    assert.ok(!existsSync(database.path));
    await rm(database.env.SIGNIN_DATA_DIR ?? "", { recursive: true, force: true });
  });
});

describe("a libSQL server", () => {
  for (const url of ["http://db.example.test", "ftp://127.0.0.1", "nonsense", "file:/tmp/x.db"]) {
    it(`is not ${url}`, async () => {
      const { code, error } = await cli({ DATABASE_URL: url }, ["users", "list"]);
      assert.equal(code, 1);
      assert.match(error, /DATABASE_URL must be the https address/);
    });
  }

  it("that refuses the token ends the command, and the token is not shown", async () => {
    await using database = await openServerDatabase();
    const env = { ...database.env, DATABASE_AUTH_TOKEN: "canary-token" };
    const { code, error, out } = await cli(env, ["migrate"]);
    assert.equal(code, 1);
    assert.notEqual(error, "");
    assert.ok(!`${out}${error}`.includes("canary-token"));
  });

  it("that does not answer ends the command with a sentence", async () => {
    const database = await openServerDatabase();
    await database[Symbol.asyncDispose]();
    const { code, error } = await cli(database.env, ["migrate"]);
    assert.equal(code, 1);
    assert.match(error, /cannot be reached/);
  });

  it("is not backed up from here", async () => {
    await using database = await openServerDatabase();
    const { code, error } = await cli(database.env, ["backup", "/tmp/never-made.db"]);
    assert.equal(code, 1);
    assert.match(error, /its own backups/);
  });
});

describe("a wrong command", () => {
  for (const args of [
    ["nonsense"],
    ["keys"],
    ["keys", "nonsense"],
    ["users", "list", "--limit", "0"],
    ["users", "list", "--limit", "1001"],
    ["users", "list", "--limit", "ten"],
    ["users", "show"],
    ["backup"],
    ["--nonsense"],
  ]) {
    it(`is refused: ${args.join(" ")}`, async () => {
      const { code, error, out } = await cli({}, args);
      assert.equal(code, 1);
      assert.notEqual(error + out, "");
    });
  }

  it("is refused where the key is none, and the value is not shown", async () => {
    await using database = await openEmbeddedFolder();
    await cli(database.env, ["migrate"]);
    const env = { ...database.env, TOKEN_ENCRYPTION_KEY: "not-a-key-canary" };
    const { code, error } = await cli(env, ["keys", "check"]);
    assert.equal(code, 1);
    assert.match(error, /^TOKEN_ENCRYPTION_KEY/);
    assert.ok(!error.includes("canary"));
  });
});

describe("help", () => {
  for (const args of [
    [],
    ["migrate"],
    ["backup"],
    ["cleanup"],
    ["keys"],
    ["keys", "check"],
    ["keys", "re-encrypt"],
    ["users"],
    ["users", "list"],
    ["users", "show"],
    ["users", "delete"],
    ["sessions"],
    ["sessions", "list"],
    ["sessions", "revoke"],
  ]) {
    it(`is there for \`${args.join(" ")}\``, async () => {
      const { code, out } = await cli({}, [...args, "--help"]);
      assert.equal(code, 0);
      assert.match(out, /^Usage: npm run signin -- /);
    });
  }
});
