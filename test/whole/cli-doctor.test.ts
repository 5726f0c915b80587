import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import Database from "libsql";
import { cli, cliProcess } from "../support/engine/cli.ts";
import { sharedFolder } from "../support/engine/files.ts";
import { startEngineProcess } from "../support/engine/process.ts";
import { machineTimeMs, until } from "../support/time.ts";

const folder = sharedFolder();
const base = { ENGINE_CREDENTIAL_STORE: "file", ENGINE_PORT: "0" };

type Findings = Map<string, { state: string; detail: string; cure: string | null }>;

async function examine(
  env: Record<string, string>,
): Promise<{ code: number | null; found: Findings }> {
  const { code, json } = await cli({ ...base, ...env }, ["doctor", "--json"]);
  return { code, found: new Map(json.map((finding) => [finding.check, finding])) };
}

/** Every file below a folder, with its content and mode. */
function snapshot(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const file = join(path, name);
      const stats = statSync(file);
      const content = stats.isFile()
        ? createHash("sha256").update(readFileSync(file)).digest("hex")
        : "";
      return `${name} ${stats.mode} ${stats.mtimeMs} ${content}`;
    });
}

interface Left {
  data: string;
  root: string;
}

/** Another data directory of this content, over the same root. */
function copyOf({ data, root }: Left, name: string): Left {
  const copy = join(folder, name);
  cpSync(data, copy, { recursive: true });
  return { data: copy, root };
}

/** A data directory with a workspace, a model and a credential, whose engine was ended by the signal. */
async function leave(name: string, signal: NodeJS.Signals): Promise<Left> {
  const data = join(folder, name);
  const root = join(folder, `${name} root`);
  for (const path of [data, root]) mkdirSync(path, { mode: 0o700 });
  writeFileSync(join(root, "a.md"), "A line about zeppelins.\n");
  await using engine = await startEngineProcess({ dataDirectory: data });
  const made = await engine.call("POST", "/workspaces", {
    name: "one",
    directories: JSON.stringify([root, join(root, "gone")]),
  });
  const { uuid } = (await made.json()) as { uuid: string };
  assert.equal((await engine.call("POST", `/workspaces/${uuid}/rag/roots/0/index`)).status, 200);
  const model = { provider: "openai", model: "m", apiKey: "sk-canary-1234567890" };
  assert.equal((await engine.call("POST", "/model-configurations", model)).status, 201);
  await engine.end(signal);
  return { data, root };
}

describe("doctor, while no engine runs", () => {
  let stopped: Left;
  before(async () => {
    stopped = await leave("stopped", "SIGTERM");
  });

  it("finds nothing wrong before the first start, and makes nothing", async () => {
    const data = join(folder, "none");
    const { code, out } = await cliProcess({ ...base, ENGINE_DATA_DIR: data }, ["doctor"]);
    assert.equal(code, 0);
    for (const line of out.trimEnd().split("\n")) assert.match(line, /^[✓!] [\w. -]+: /);
    assert.match(
      out,
      /^! runtime\.json: It does not exist because the engine is not running\. Start the engine with `npm start`\.$/m,
    );
    assert.throws(() => statSync(data), { code: "ENOENT" });
  });

  it("reads what a clean stop left, and changes nothing", async () => {
    const { data, root } = stopped;
    const before = [...snapshot(data), ...snapshot(root)];
    const { code, found } = await examine({ ENGINE_DATA_DIR: data });
    assert.equal(code, 0);
    assert.equal(found.get("database")?.state, "ok");
    assert.equal(found.get("credential store")?.detail, "The key opens the stored credentials.");
    assert.equal(found.get(`root ${root}`)?.detail, "Indexed documents: 1.");
    assert.match(found.get(`root ${root}/gone`)?.detail ?? "", /does not exist/);
    assert.ok(found.has("model openai m"));
    assert.deepEqual([...snapshot(data), ...snapshot(root)], before);
  });

  it("reads what a kill left, its log of writes included, and changes nothing", async () => {
    const { data, root } = await leave("killed", "SIGKILL");
    assert.ok(statSync(join(data, "engine.db-wal")).size > 0);
    const before = [...snapshot(data), ...snapshot(root)];
    const { code, found } = await examine({ ENGINE_DATA_DIR: data });
    assert.equal(code, 0);
    const { state, detail = "" } = found.get("database") ?? {};
    assert.equal(state, "ok");
    const [, size = ""] = /^([\d,]+) KiB, intact\./.exec(detail) ?? [];
    const written = statSync(join(data, "engine.db")).size;
    assert.ok(Number(size.replaceAll(",", "")) * 1024 > written, `${detail} of ${written}`);
    assert.ok(found.has("model openai m"), "the row is in the log of writes");
    assert.match(found.get("runtime.json")?.detail ?? "", /which does not respond/);
    assert.deepEqual([...snapshot(data), ...snapshot(root)], before);
  });

  it("says what another embedder's index, a lost key and a damaged database need", async () => {
    const { data, root } = copyOf(stopped, "broken");
    const embeddings = {
      ENGINE_EMBEDDINGS: "openai-compatible",
      ENGINE_EMBEDDINGS_URL: "http://127.0.0.1:9/v1",
      ENGINE_EMBEDDINGS_MODEL: "m",
    };
    const foreign = await examine({ ENGINE_DATA_DIR: data, ...embeddings });
    assert.equal(foreign.code, 0);
    assert.match(foreign.found.get(`root ${root}`)?.detail ?? "", /Another embedder/);
    assert.match(foreign.found.get("embeddings")?.detail ?? "", /127\.0\.0\.1:9 does not respond/);
    rmSync(join(data, "credentials.key"));
    const keyless = await examine({ ENGINE_DATA_DIR: data });
    assert.equal(keyless.code, 1);
    assert.equal(keyless.found.get("credential store")?.state, "failure");
    writeFileSync(join(data, "engine.db"), "no database".repeat(1000));
    const damaged = await examine({ ENGINE_DATA_DIR: data });
    assert.equal(damaged.code, 1);
    assert.match(damaged.found.get("database")?.cure ?? "", /restore FILE/);
  });

  it("opens no index that this engine did not make, and does not hang on it", async () => {
    const { data, root } = copyOf(stopped, "planted");
    const path = join(root, ".engine/sidecar.db");
    const own = readFileSync(path);
    rmSync(path);
    const db = new Database(path);
    db.exec(`CREATE VIEW meta AS WITH RECURSIVE n(key, value) AS
      (SELECT 'x', 'y' UNION ALL SELECT key, value FROM n) SELECT key, value FROM n; PRAGMA user_version = 1`);
    db.close();
    const before = snapshot(root);
    const { code, found } = await examine({ ENGINE_DATA_DIR: data });
    assert.equal(code, 0);
    assert.match(found.get(`root ${root}`)?.detail ?? "", /did not make this index/);
    assert.deepEqual(snapshot(root), before);
    writeFileSync(path, own);
  });

  it("names the process that holds the lock and does not answer", async () => {
    const data = join(folder, "silent");
    mkdirSync(data, { mode: 0o700 });
    await using engine = await startEngineProcess({ dataDirectory: data });
    rmSync(join(data, "runtime.json"));
    const { code, found } = await examine({ ENGINE_DATA_DIR: data });
    assert.equal(code, 1);
    const { detail } = found.get("lock") ?? { detail: "" };
    assert.equal(detail, `Process ${engine.runtime.pid} holds it, and no engine answers.`);
  });

  it("refuses what a start would refuse: variables, a foreign folder, a taken port", async () => {
    const bad = await examine({ ENGINE_PORT: "canary", ENGINE_PROT: "1" });
    assert.equal(bad.code, 1);
    assert.match(bad.found.get("variables")?.detail ?? "", /^ENGINE_PORT: /);
    assert.ok(!JSON.stringify([...bad.found]).includes("canary"));
    const foreign = join(folder, "foreign");
    mkdirSync(foreign);
    chmodSync(foreign, 0o755);
    writeFileSync(join(foreign, "thesis.doc"), "");
    const holder = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address() as AddressInfo;
    const env = { ENGINE_DATA_DIR: foreign, ENGINE_PORT: String(port), ENGINE_PROT: "1" };
    const { code, found } = await examine(env);
    holder.close();
    assert.equal(code, 1);
    assert.match(found.get("data directory")?.detail ?? "", /holds other files/);
    assert.match(found.get("port")?.detail ?? "", /is taken by another program/);
    assert.match(found.get("variables")?.detail ?? "", /ENGINE_PORT/);
    assert.equal(statSync(foreign).mode & 0o777, 0o755);
  });
});

describe("doctor, while an engine runs", () => {
  it("says so, and compares the clock with that of the sign-in server", async () => {
    const late = createServer((_, response) => {
      response.setHeader("date", new Date(machineTimeMs() - 3_600_000).toUTCString()).end();
    }).listen(0, "127.0.0.1");
    await once(late, "listening");
    const { port } = late.address() as AddressInfo;
    const data = join(folder, "running");
    await using engine = await startEngineProcess({
      dataDirectory: data,
      env: { ENGINE_ACCOUNT_URL: `http://127.0.0.1:${port}` },
    });
    // Doctor waits for a second, and on a loaded machine the test's own server may need longer.
    const { code, found } = await until("The time of the sign-in server", async () => {
      const seen = await examine({ ENGINE_DATA_DIR: data });
      return !/does not respond/.test(seen.found.get("sign-in server")?.detail ?? "") && seen;
    });
    late.close();
    assert.equal(code, 0);
    assert.match(found.get("lock")?.detail ?? "", new RegExp(`process ${engine.runtime.pid}`));
    assert.equal(found.get("port")?.state, "ok");
    assert.equal(found.get("database")?.state, "ok");
    assert.match(found.get("sign-in server")?.detail ?? "", /^Its clock differs by 36\d\d s\.$/);
    assert.equal((await engine.call("GET", "/workspaces")).status, 200);
  });
});
