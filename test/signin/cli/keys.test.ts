// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { reencryptKeys } from "../../../signin/cli/keys.ts";
import { apiKeyContext } from "../../../signin/connections/api-keys.ts";
import { KEY_PAGE_ROWS } from "../../../signin/limits.ts";
import { totpContext } from "../../../signin/second-factor/verify-factor.ts";
import {
  boxOf,
  CLI_KEYS,
  type CliDatabase,
  cli,
  insertKeys,
  insertUser,
  KINDS,
  openEmbeddedFolder,
  openMigrated,
} from "../../support/signin/cli.ts";

for (const [kind, open] of KINDS) {
  describe(`keys on ${kind}`, () => {
    it("are counted by what sealed them, and nothing of them is shown", async () => {
      await using database = await openMigrated(open);
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
      await using database = await openMigrated(open);
      await insertKeys(database, 3);
      const env = { ...database.env, TOKEN_ENCRYPTION_KEY: CLI_KEYS.new };
      const { code, json, error } = await cli(env, ["--json", "keys", "check"]);
      assert.equal(code, 1);
      assert.equal(json[0].broken, 3);
      assert.match(error, /TOKEN_ENCRYPTION_KEY/);
      assert.ok(!error.includes(CLI_KEYS.new));
    });

    it("that were moved to another row are found", async () => {
      await using database = await openMigrated(open);
      await insertKeys(database, 2);
      await database.db.$client.execute(
        "UPDATE api_keys SET ciphertext = (SELECT ciphertext FROM api_keys WHERE provider = 'provider-0000') WHERE provider = 'provider-0001'",
      );
      const { code, json } = await cli(database.env, ["--json", "keys", "check"]);
      assert.equal(code, 1);
      assert.equal(json[0].broken, 1);
    });

    it("are re-encrypted over several pages, and a second run changes none", async () => {
      await using database = await openMigrated(open);
      const keys = KEY_PAGE_ROWS * 2 + 5;
      await insertKeys(database, keys);
      const app = await (await boxOf(CLI_KEYS.old)).seal("secret-canary", totpContext("user"));
      await database.db.$client.execute({
        sql: "INSERT INTO second_factors (user_id, ciphertext, key_id, expires_at) VALUES ('user', ?, 'old', 1)",
        args: [app],
      });
      const count = keys + 1;
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
      const factor = await database.db.$client.execute("SELECT ciphertext FROM second_factors");
      const sealed = String(factor.rows[0]?.ciphertext);
      assert.equal(await box.open(sealed, totpContext("user")), "secret-canary");
    });

    it("that cannot be opened stay as they are, the others are re-encrypted", async () => {
      await using database = await openMigrated(open);
      await insertKeys(database, 4);
      await database.db.$client.execute(
        "UPDATE api_keys SET ciphertext = 'v1.deadbeef.AAAA.AAAA' WHERE provider = 'provider-0002'",
      );
      const env = { ...database.env, TOKEN_ENCRYPTION_KEY: `${CLI_KEYS.new},${CLI_KEYS.old}` };
      const { code, json, error } = await cli(env, ["--json", "keys", "re-encrypt"]);
      assert.equal(code, 1);
      assert.deepEqual(json, [{ reencrypted: 3, changed: 0, broken: 1 }]);
      assert.match(error, /are unchanged/);
      const { rows } = await database.db.$client.execute(
        "SELECT ciphertext FROM api_keys WHERE provider = 'provider-0002'",
      );
      assert.equal(rows[0]?.ciphertext, "v1.deadbeef.AAAA.AAAA");
    });

    it("that their owner replaces meanwhile are left to the owner", async () => {
      await using database = await openMigrated(open);
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

    it("can be re-encrypted in two runs: a stop between pages loses nothing", async () => {
      await using database = await openMigrated(open);
      const count = KEY_PAGE_ROWS + 10;
      await insertKeys(database, count);
      const env = { ...database.env, TOKEN_ENCRYPTION_KEY: `${CLI_KEYS.new},${CLI_KEYS.old}` };
      const stopped = await cli(env, ["keys", "re-encrypt"], { signal: AbortSignal.abort() });
      assert.equal(stopped.code, 1);
      assert.match(stopped.error, /Run the command again/);
      const { keyId } = await boxOf(CLI_KEYS.new);
      const { rows } = await database.db.$client.execute({
        sql: "SELECT count(*) AS done FROM api_keys WHERE key_id = ?",
        args: [keyId],
      });
      // wrangler does not start after a stop.
      const done = kind === "D1" ? 0 : KEY_PAGE_ROWS;
      assert.equal(rows[0]?.done, done);
      const rest = await cli(env, ["--json", "keys", "re-encrypt"]);
      assert.deepEqual(rest.json, [{ reencrypted: count - done, changed: 0, broken: 0 }]);
    });
  });
}

describe("keys of an embedded database in development", () => {
  it("are opened with the key that the server stored", async () => {
    await using database = await openMigrated(openEmbeddedFolder);
    await insertKeys(database, 1);
    const stored = { JWT_SECRET_KEY: "ab".repeat(32), TOKEN_ENCRYPTION_KEY: CLI_KEYS.old };
    await writeFile(secretsOf(database), JSON.stringify(stored));
    const env = { ...database.env, TOKEN_ENCRYPTION_KEY: undefined };
    const { code, error } = await cli(env, ["keys", "check"]);
    assert.equal(code, 0, error);
  });

  it("need that key: no command of an operator generates one", async () => {
    await using database = await openMigrated(openEmbeddedFolder);
    await insertUser(database, "user", "ann@example.test");
    const env = { ...database.env, TOKEN_ENCRYPTION_KEY: undefined };
    for (const command of ["keys check", "keys re-encrypt"]) {
      const { code, error } = await cli(env, command.split(" "));
      assert.equal(code, 1);
      assert.match(error, /^TOKEN_ENCRYPTION_KEY: /);
    }
    for (const command of [
      "mail test ann@example.test",
      "users list",
      "users show ann@example.test",
      "audit list",
      "audit export",
      "cleanup",
      "migrate",
      "doctor",
    ]) {
      const { code, error } = await cli(env, command.split(" "));
      assert.equal(code, 0, `${command}: ${error}`);
    }
    assert.equal(existsSync(secretsOf(database)), false);
  });
});

function secretsOf({ path }: CliDatabase): string {
  return join(dirname(path), "development-secrets.json");
}
