import assert from "node:assert/strict";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type Migration, MigrationRefused, migrate } from "../../shared/migrate.ts";
import { openEmbeddedClient } from "../../shared/node/embedded-client.ts";
import { migrations } from "../../signin/db/migrations.generated.ts";
import { ROOT } from "../house/sources.ts";
import { isLongRun } from "../support/repeats.ts";
import { cli } from "../support/signin/cli.ts";
import { inProcessRuntime, KEYS } from "../support/signin/runtimes.ts";

const BACKUP = "before.db";

// Columns that every schema has had.
const OLD_ROWS = `
INSERT INTO users (id, email, email_norm, created_at, updated_at) VALUES ('user-1', 'ann@example.test', 'ann@example.test', 1, 1);
INSERT INTO identities (provider, subject, user_id, linked_at) VALUES ('google', 'subject-1', 'user-1', 1);
INSERT INTO audit_events (at, type, outcome, user_id) VALUES (1, 'login.success', 'success', 'user-1')`;

/** A data directory as a server of a former version left it: the schema of its steps, and a person's rows. */
async function openFormer(steps: readonly Migration[]) {
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-upgrade-"));
  const path = join(folder, "signin.db");
  await withClient(path, async (client) => {
    await migrate(client, steps);
    for (const statement of OLD_ROWS.split(";\n")) await client.execute(statement);
  });
  return {
    folder,
    path,
    env: { SIGNIN_DATA_DIR: folder, ...KEYS },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function withClient<Value>(
  path: string,
  use: (client: ReturnType<typeof openEmbeddedClient>) => Promise<Value>,
): Promise<Value> {
  await using client = openEmbeddedClient({ path, pragmas: ["journal_mode=WAL"] });
  return await use(client);
}

const namesOf = (path: string) =>
  withClient(path, async (client) => {
    const { rows } = await client.execute("SELECT name FROM schema_migrations ORDER BY name");
    return rows.map(({ name }) => name);
  });

for (const [at, { name }] of migrations.slice(0, -1).entries()) {
  // The oldest and the newest; a long run begins at each one.
  if (!isLongRun && at > 0 && at < migrations.length - 2) continue;
  const former = migrations.slice(0, at + 1);

  describe(`an upgrade from the schema ${name}`, () => {
    it("keeps what is stored, and the restored backup runs under the version of before", async () => {
      await using place = await openFormer(former);
      const { env, path, folder } = place;
      const dry = await cli(env, ["--json", "migrate", "--dry-run"]);
      const pending = migrations.slice(at + 1).map((step) => step.name);
      assert.equal(dry.json[0].pending, pending.join(", "));
      const backup = join(folder, BACKUP);
      assert.equal((await cli(env, ["backup", backup])).code, 0);
      assert.match((await cli(env, ["doctor"])).out, /database: .* is not up to date/);

      const server = await inProcessRuntime.boot({ SIGNIN_DATA_DIR: folder });
      try {
        const ready = await fetch(`${server.baseUrl}/ready`);
        assert.equal(ready.status, 200);
        const [identity] = await server.sql("SELECT * FROM identities");
        assert.equal(identity?.user_id, "user-1");
      } finally {
        await server[Symbol.asyncDispose]();
      }
      const { json } = await cli(env, ["--json", "users", "list"]);
      assert.equal(json[0][0].email, "ann@example.test");
      const events = await cli(env, ["--json", "audit", "list", "--user", "user-1"]);
      assert.equal(events.json[0][0].type, "login.success");

      // A program of before refuses what it does not know: nothing is lost by a start of the wrong version.
      await withClient(path, async (client) => {
        await assert.rejects(migrate(client, former), MigrationRefused);
      });
      for (const file of [path, `${path}-wal`, `${path}-shm`]) await rm(file, { force: true });
      await copyFile(backup, path);
      assert.deepEqual(
        await namesOf(path),
        former.map((step) => step.name),
      );
      await withClient(path, async (client) => {
        assert.deepEqual(await migrate(client, former), []);
        const { rows } = await client.execute("SELECT count(*) AS n FROM users");
        assert.equal(rows[0]?.n, 1);
      });
    });
  });
}

describe("docs/upgrade.md", () => {
  it("names commands that exist", async () => {
    const text = await readFile(join(ROOT, "docs/upgrade.md"), "utf8");
    const commands = [...text.matchAll(/`npm run signin -- ([a-z]+(?: workers)?)/g)];
    assert.ok(commands.length >= 5);
    for (const [, command = ""] of commands) {
      assert.equal((await cli({}, [...command.split(" "), "--help"])).code, 0, command);
    }
  });
});
