import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { it } from "node:test";
// biome-ignore lint/style/noRestrictedImports: the moment of the kill is the point of this test.
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import type { Hit } from "../../engine/retrieval/retrieval.ts";
import { openRetrieval, type Retrieval } from "../../engine/retrieval/worker-client.ts";
import { silentLogger } from "../../shared/log.ts";
import { TEST_CONFIG } from "../support/engine/engine.ts";
import { temporaryRoot, writeFiles } from "../support/engine/files.ts";
import { FROM_SOURCES } from "../support/processes.ts";
import { createDice, createDocuments, createText } from "../support/random.ts";
import { repeats, showProgress } from "../support/repeats.ts";

const CHILD = [
  ...FROM_SOURCES,
  fileURLToPath(new URL("./programs/index-child.ts", import.meta.url)),
];
const KILLS = repeats({ once: 1, long: 25 });
const DOCUMENTS = repeats({ once: 120, long: 260 });
const RUN_MS_MAX = 120_000;
const QUERIES = ["cache refresh", "how does the worker answer", "tokens of a session"];

it("an index run that is killed at any moment leaves a whole index, and the next one completes it", async () => {
  const dice = createDice(7);
  const root = temporaryRoot();
  writeFiles(root, createDocuments(dice, DOCUMENTS));
  try {
    // How long a whole run takes here and now: a loaded machine needs more than a figure would allow.
    let span = (await indexAndKill(root, RUN_MS_MAX)).tookMs;
    // Until that many runs were cut; the time limit of the test ends a run that never is.
    for (let round = 1, killed = 0; killed < KILLS; round += 1) {
      if (round % 10 === 0) rmSync(join(root, ".engine"), { recursive: true, force: true });
      for (let i = 0; i < 40; i += 1) {
        const document = dice(DOCUMENTS);
        writeFiles(root, { [`d${document % 7}/f${document}.md`]: createText(dice) });
      }
      const { wasKilled, tookMs } = await indexAndKill(root, dice(Math.ceil(span)));
      if (wasKilled) {
        killed += 1;
        showProgress("kills", killed, KILLS);
      } else span = Math.max(20, Math.min(span, tookMs));
      assertWhole(root);
    }
    await assertLikeClean(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

// The moment of the kill is the point of this test, so here time is waited for.
async function indexAndKill(
  root: string,
  afterMs: number,
): Promise<{ wasKilled: boolean; tookMs: number }> {
  const child = spawn(process.execPath, [...CHILD, root, TEST_CONFIG.dataDirectory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, "begins");
  // biome-ignore lint/plugin: it tells where the next kill falls, and is not asserted.
  const began = performance.now();
  const answered = lines.next();
  await Promise.race([delay(afterMs, undefined, { ref: false }), answered]);
  child.kill("SIGKILL");
  await exit;
  const { value } = await answered;
  // biome-ignore lint/plugin: as above.
  return { wasKilled: value === undefined, tookMs: performance.now() - began };
}

function assertWhole(root: string): void {
  const path = join(root, ".engine/sidecar.db");
  if (!existsSync(path)) return;
  const db = new Database(path);
  try {
    const number = (sql: string) => (db.prepare(sql).raw(true).all() as [number][])[0]?.[0];
    assert.equal(number("PRAGMA integrity_check"), "ok");
    if (number("PRAGMA user_version") === 0) return;
    db.exec("INSERT INTO chunk_fts (chunk_fts) VALUES ('integrity-check')");
    assert.equal(
      number("SELECT count(*) FROM chunk_fts_docsize"),
      number("SELECT count(*) FROM chunk"),
    );
    assert.equal(
      number("SELECT count(*) FROM vector WHERE chunk_id NOT IN (SELECT id FROM chunk)"),
      0,
    );
    assert.equal(number("SELECT count(*) FROM pragma_foreign_key_check"), 0);
  } finally {
    db.close();
  }
}

async function assertLikeClean(root: string): Promise<void> {
  const copy = temporaryRoot();
  cpSync(root, copy, { recursive: true, filter: (path) => !path.endsWith(".engine") });
  await using retrieval = openRetrieval({
    config: TEST_CONFIG,
    log: silentLogger,
  });
  try {
    const counts = await retrieval.indexRoot({ rootIndex: 0, path: root });
    assert.equal(counts.indexed + counts.unchanged, DOCUMENTS);
    await retrieval.indexRoot({ rootIndex: 0, path: copy });
    assert.deepEqual(await answersOf(retrieval, root), await answersOf(retrieval, copy));
  } finally {
    rmSync(copy, { recursive: true });
  }
}

async function answersOf(retrieval: Retrieval, path: string): Promise<Partial<Hit>[][]> {
  const answers: Partial<Hit>[][] = [];
  for (const query of QUERIES) {
    for (const mode of ["keyword", "vector", "hybrid"] as const) {
      const hits = await retrieval.search([{ rootIndex: 0, path }], { query, mode, limit: 50 });
      assert.ok(hits.length > 0);
      answers.push(hits.map(({ chunkId: _, documentId: __, ...shown }) => shown));
    }
  }
  return answers;
}
