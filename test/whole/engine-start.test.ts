import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { after, it } from "node:test";
import { ROOT } from "../house/sources.ts";
import { createTestFolder } from "../support/engine/files.ts";
import {
  runEngineProcess,
  startEngineProcess,
  temporaryDirectory,
} from "../support/engine/process.ts";
import { repeats } from "../support/repeats.ts";

const STARTS = repeats({ once: 3, long: 4 });

const dataDirectory = temporaryDirectory();
after(() => rmSync(dataDirectory, { recursive: true, force: true }));

it("a stop leaves the database alone: no log, and nothing that says that the engine runs", async () => {
  await using engine = await startEngineProcess();
  const { uuid } = await json(engine.call("POST", "/workspaces", { name: "w" }));
  await json(engine.call("POST", "/threads", { workspaceUuid: uuid }));
  await json(engine.call("GET", `/workspaces/${uuid}/threads`));
  const left = () =>
    readdirSync(engine.dataDirectory).filter((name) => /^engine\.db|^runtime/.test(name));
  assert.ok(left().includes("engine.db-wal"));
  await engine.end("SIGTERM");
  assert.deepEqual(left(), ["engine.db"]);
});

it("of several starts at once on one data directory exactly one runs", async () => {
  const starts = await Promise.all(
    Array.from({ length: STARTS }, () =>
      startEngineProcess({ dataDirectory }).then(
        (engine) => ({ engine }),
        (error: Error) => ({ error }),
      ),
    ),
  );
  const running = starts.flatMap((start) => ("engine" in start ? start.engine : []));
  const refused = starts.flatMap((start) => ("error" in start ? start.error : []));
  assert.deepEqual([running.length, refused.length], [1, STARTS - 1]);
  for (const { message } of refused) assert.match(message, /Another engine is already running on/);
  await running[0]?.end("SIGTERM");
});

it("a database of a newer engine refuses the start in one sentence, and is left alone", async () => {
  await (await startEngineProcess({ dataDirectory })).end("SIGTERM");
  const { default: Connection } = await import("libsql");
  const connection = new Connection(`${dataDirectory}/engine.db`);
  connection.exec("INSERT INTO schema_migrations VALUES ('9999_future', 'x', 'x')");
  connection.close();
  const refused = await runEngineProcess({ dataDirectory });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^The database has the schema step 9999_future[^\n]*\n$/);
});

it("a database that is missing beside a key refuses the start in one sentence", async () => {
  await using folder = await createTestFolder({ "credentials.key": "k" });
  await chmod(folder.path, 0o700);
  const refused = await runEngineProcess({ dataDirectory: folder.path });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^The database [^\n]+ is missing, although [^\n]+\n$/);
});

it("after a kill -9 a damaged database refuses the start in one sentence", async () => {
  await using folder = await createTestFolder();
  await chmod(folder.path, 0o700);
  await (await startEngineProcess({ dataDirectory: folder.path })).end("SIGKILL");
  const { default: Connection } = await import("libsql");
  const path = folder.at("engine.db");
  const connection = new Connection(path);
  connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
  const table = "SELECT rootpage FROM sqlite_master WHERE name = 'messages'";
  const { rootpage } = connection.prepare(table).get() as { rootpage: number };
  connection.close();
  rmSync(`${path}-wal`, { force: true });
  writeFileSync(path, readFileSync(path).fill(7, 4096 * (rootpage - 1), 4096 * rootpage));
  const refused = await runEngineProcess({ dataDirectory: folder.path });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^The database [^\n]+ is damaged\. [^\n]+\n$/);
});

it("the engine's own bundle loads no model provider and no keychain at the start", () => {
  const { main } = JSON.parse(readFileSync(`${ROOT}.build/engine/bundle.json`, "utf8"));
  assert.ok(existsSync(`${ROOT}${main}`));
  const text = readFileSync(`${ROOT}${main}`, "utf8");
  for (const onFirstUse of [/streamText/, /@napi-rs\/keyring(?!"\))/, /commander\./]) {
    assert.doesNotMatch(text, onFirstUse);
  }
});

async function json(response: Promise<Response>): Promise<{ uuid: string }> {
  const answer = await response;
  assert.ok(answer.ok, String(answer.status));
  return await answer.json();
}
