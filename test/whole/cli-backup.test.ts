import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { openEmbeddedClient } from "../../shared/node/embedded-client.ts";
import { cli, cliProcess } from "../support/engine/cli.ts";
import { sharedFolder } from "../support/engine/files.ts";
import { type EngineProcess, startEngineProcess } from "../support/engine/process.ts";

const folder = sharedFolder();
const at = (name: string) => join(folder, name);
const envOf = (name: string) => ({ ENGINE_DATA_DIR: at(name), ENGINE_CREDENTIAL_STORE: "file" });

async function namesOf(engine: EngineProcess): Promise<string[]> {
  const all = (await (await engine.call("GET", "/workspaces")).json()) as { name: string }[];
  return all.map(({ name }) => name);
}

async function change(path: string, statements: string[]): Promise<void> {
  await using client = openEmbeddedClient({ path, pragmas: [] });
  for (const sql of statements) await client.execute(sql);
}

/** The path of the bytes of a file that came with a message. */
let attachment = "";

async function threadOf(engine: EngineProcess): Promise<string> {
  const [workspace] = (await (await engine.call("GET", "/workspaces")).json()) as {
    uuid: string;
  }[];
  const made = await engine.call("POST", "/threads", { workspaceUuid: workspace?.uuid });
  return ((await made.json()) as { uuid: string }).uuid;
}

before(async () => {
  await using engine = await startEngineProcess({ dataDirectory: at("source") });
  await engine.call("POST", "/workspaces", { name: "before" });
  const thread = await threadOf(engine);
  const file_context = { attachments: [{ name: "a.txt", data: btoa("attached") }] };
  const body = { content: "look", file_context };
  const turn = await (await engine.call("POST", `/threads/${thread}/turns`, body)).json();
  attachment = `/messages/${(turn as { userMessageUuid: string }).userMessageUuid}/attachments/0`;
  const model = { provider: "openai", model: "m", apiKey: "sk-canary-1234567890" };
  assert.equal((await engine.call("POST", "/model-configurations", model)).status, 201);
  const made = await cliProcess(envOf("source"), ["backup", at("plain.db"), "--json"]);
  assert.deepEqual(made.json, [{ backup: at("plain.db"), with_key: false }], made.error);
  const keyed = await cli(envOf("source"), ["backup", "keyed.db", "--with-key"], { folder });
  assert.equal(keyed.code, 0, keyed.error);
  await engine.call("POST", "/workspaces", { name: "after" });
  await engine.end("SIGTERM");
});

describe("a backup", () => {
  it("is one private file of the moment, without the key", () => {
    assert.equal(statSync(at("plain.db")).mode & 0o777, 0o600);
    const key = readFileSync(join(at("source"), "credentials.key"), "utf8").trim();
    assert.ok(!readFileSync(at("plain.db")).includes(key));
    assert.ok(readFileSync(at("keyed.db")).includes(key));
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes(".part")),
      [],
    );
  });

  it("never replaces a file, and needs a database", async () => {
    const taken = await cli(envOf("source"), ["backup", at("plain.db")]);
    assert.match(taken.error, /already exists\. Choose another name/);
    const nowhere = await cli(envOf("source"), ["backup", at("none/x.db")]);
    assert.match(nowhere.error, /none does not exist/);
    const none = await cli(envOf("nothing"), ["backup", at("nothing.db")]);
    assert.match(none.error, /There is no database/);
    assert.deepEqual([taken.code, nowhere.code, none.code], [1, 1, 1]);
    assert.ok(!existsSync(at("nothing")) && !existsSync(at("nothing.db")));
  });
});

describe("a restore", () => {
  it("refuses a running engine", async () => {
    await using _engine = await startEngineProcess({ dataDirectory: at("source") });
    const { code, error } = await cli(envOf("source"), ["restore", at("plain.db")]);
    assert.equal(code, 1);
    assert.match(error, /An engine runs on this data directory\. Stop it first: `stop`/);
  });

  it("puts the backup in the place of the database, and keeps the old one beside", async () => {
    rmSync(join(at("source"), "attachments"), { recursive: true });
    const { code, json, error } = await cli(envOf("source"), ["restore", at("plain.db"), "--json"]);
    assert.equal(code, 0, error);
    await using engine = await startEngineProcess({ dataDirectory: at("source") });
    assert.deepEqual(await namesOf(engine), ["before"]);
    assert.equal((await engine.call("GET", "/model-configurations")).status, 200);
    assert.equal(await (await engine.call("GET", attachment)).text(), "attached");
    await using kept = openEmbeddedClient({ path: json[0].kept, pragmas: ["query_only=ON"] });
    const { rows } = await kept.execute("SELECT count(*) AS count FROM workspaces");
    assert.equal(rows[0]?.count, 2);
  });

  it("keeps what a killed engine had only in its log of writes", async () => {
    const env = envOf("killed");
    {
      await using engine = await startEngineProcess({ dataDirectory: at("killed") });
      await engine.call("POST", "/workspaces", { name: "unfolded" });
    }
    const { json, error } = await cli(env, ["restore", at("plain.db"), "--json"]);
    assert.equal(error, "");
    await using kept = openEmbeddedClient({ path: json[0].kept, pragmas: ["query_only=ON"] });
    const { rows } = await kept.execute("SELECT name FROM workspaces");
    assert.deepEqual(
      rows.map(({ name }) => name),
      ["unfolded"],
    );
    await using engine = await startEngineProcess({ dataDirectory: at("killed") });
    assert.deepEqual(await namesOf(engine), ["before"]);
  });

  it("on a new machine, brings the credentials along where the backup has the key", async () => {
    const { json, error } = await cli(envOf("fresh"), ["restore", at("keyed.db"), "--json"]);
    assert.equal(error, "");
    assert.deepEqual(json[0], {
      restored: join(at("fresh"), "engine.db"),
      kept: null,
      with_key: true,
    });
    const key = (name: string) => readFileSync(join(at(name), "credentials.key"), "utf8");
    assert.equal(key("fresh"), key("source"));
    const found = await cli(envOf("fresh"), ["doctor", "--json"]);
    const store = found.json.find(({ check }) => check === "credential store");
    assert.equal(store.detail, "The key opens the stored credentials.");
    assert.ok(!readFileSync(join(at("fresh"), "engine.db")).includes(key("source").trim()));
  });

  it("keeps another key beside", async () => {
    const env = envOf("other");
    {
      await using engine = await startEngineProcess({ dataDirectory: at("other") });
      const model = { provider: "openai", model: "m", apiKey: "sk-other-1234567890" };
      await engine.call("POST", "/model-configurations", model);
      await engine.end("SIGTERM");
    }
    const old = readFileSync(join(at("other"), "credentials.key"), "utf8");
    assert.equal((await cli(env, ["restore", at("keyed.db")])).code, 0);
    const kept = readdirSync(at("other")).find((name) =>
      name.startsWith("credentials.key.before-"),
    );
    assert.equal(readFileSync(join(at("other"), kept ?? ""), "utf8"), old);
  });

  describe("leaves the old database where the file is", () => {
    const hostile: [what: string, make: (path: string) => unknown, message: RegExp][] = [
      ["missing", () => {}, /cannot be read \(ENOENT\)/],
      ["a folder", (path) => mkdirSync(path), /is not a file/],
      ["a pipe", (path) => execFileSync("mkfifo", [path]), /is not a file/],
      ["empty", (path) => writeFileSync(path, ""), /not an engine backup/],
      ["text", (path) => writeFileSync(path, "{}".repeat(9000)), /not an engine backup/],
      ["noise", (path) => writeFileSync(path, randomBytes(100_000)), /not an engine backup/],
      [
        "truncated",
        (path) => {
          copyFileSync(at("plain.db"), path);
          truncateSync(path, statSync(path).size - 8192);
        },
        /damaged/,
      ],
      [
        "overwritten in the middle",
        (path) => {
          const bytes = readFileSync(at("plain.db"));
          bytes.fill(0xff, 8192, 60_000);
          writeFileSync(path, bytes);
        },
        /damaged/,
      ],
      ["another database", (path) => change(path, ["CREATE TABLE t (a)"]), /not an engine backup/],
      [
        "a database with a trigger of its own",
        (path) => {
          copyFileSync(at("plain.db"), path);
          const trigger =
            "CREATE TRIGGER evil AFTER INSERT ON workspaces BEGIN DELETE FROM threads; END";
          return change(path, [trigger]);
        },
        /not an engine backup/,
      ],
      [
        "a database with a trigger under a name of SQLite",
        (path) => {
          copyFileSync(at("plain.db"), path);
          return change(path, [
            "PRAGMA writable_schema = ON",
            `INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('trigger', 'sqlite_harmless', 'messages', 0,
              'CREATE TRIGGER sqlite_harmless AFTER INSERT ON messages BEGIN UPDATE messages SET content = ''PWNED''; END')`,
          ]);
        },
        /not an engine backup/,
      ],
      [
        "a database with a trigger on its key",
        (path) => {
          copyFileSync(at("plain.db"), path);
          return change(path, [
            "CREATE TABLE backup_key (key TEXT NOT NULL) STRICT",
            "CREATE TRIGGER evil AFTER DELETE ON backup_key BEGIN DELETE FROM threads; END",
          ]);
        },
        /not an engine backup/,
      ],
      [
        "of a newer version",
        (path) => {
          copyFileSync(at("plain.db"), path);
          const insert =
            "INSERT INTO schema_migrations (name, checksum, applied_at) VALUES ('9999_next', '', '')";
          return change(path, [insert]);
        },
        /newer version/,
      ],
      [
        "with a key that is none",
        async (path) => {
          copyFileSync(at("plain.db"), path);
          await change(path, [
            "CREATE TABLE backup_key (key TEXT NOT NULL) STRICT",
            "INSERT INTO backup_key VALUES ('x')",
          ]);
        },
        /key .* is damaged/,
      ],
    ];
    for (const [what, make, message] of hostile) {
      it(what, async () => {
        const path = at(`hostile ${what}`);
        await make(path);
        const database = join(at("source"), "engine.db");
        const was = readFileSync(database);
        // A killed engine leaves the journal of its lock, which the next lock removes.
        const list = () => readdirSync(at("source")).filter((name) => name !== "lock.db-journal");
        const names = list();
        const { code, error } = await cli(envOf("source"), ["restore", path]);
        assert.equal(code, 1);
        assert.match(error, message);
        assert.deepEqual(readFileSync(database), was);
        assert.deepEqual(list(), names);
      });
    }
  });
});
