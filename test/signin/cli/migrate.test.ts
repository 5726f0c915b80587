// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { describe, it } from "node:test";
import { migrations } from "../../../signin/db/migrations.generated.ts";
import {
  cli,
  KINDS,
  openEmbeddedFolder,
  openMigrated,
  openServerDatabase,
} from "../../support/signin/cli.ts";

for (const [kind, open] of KINDS) {
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
      await using database = await openMigrated(open);
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

  it("is not named with its token, which is not shown", async () => {
    const url = "https://db.example.test?authToken=canary";
    const { code, error } = await cli({ DATABASE_URL: url }, ["users", "list"]);
    assert.equal(code, 1);
    assert.equal(
      error,
      "DATABASE_URL must have no query: a token belongs in DATABASE_AUTH_TOKEN.\n",
    );
  });

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
