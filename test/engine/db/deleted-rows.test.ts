// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { DeletedRows } from "../../../engine/db/deleted-rows.ts";
import { readList } from "../../../engine/db/list.ts";
import { openDatabase } from "../../../engine/db/open.ts";
import { addMessage, messagesOf } from "../../../engine/messages/store.ts";
import {
  deleteThread,
  findThread,
  insertThread,
  threadsOf,
} from "../../../engine/threads/store.ts";
import {
  allWorkspaces,
  deleteWorkspace,
  findWorkspace,
  insertWorkspace,
} from "../../../engine/workspaces/store.ts";
import { Batch } from "../../../shared/batch.ts";
import type { Database } from "../../../shared/database.ts";
import { silentLogger } from "../../../shared/log.ts";
import { TestClock } from "../../support/time.ts";

const NOW = "2026-01-01T00:00:00.000Z";

/** The rows that a client was shown: messages by thread, threads by workspace. */
type Model = Map<string, Map<string, string[]>>;

const order = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("workspace" as const) }),
    fc.record({ kind: fc.constant("thread" as const), at: fc.nat() }),
    fc.record({
      kind: fc.constant("messages" as const),
      at: fc.nat(),
      count: fc.integer({ min: 1, max: 120 }),
    }),
    fc.record({ kind: fc.constant("delete workspace" as const), at: fc.nat() }),
    fc.record({ kind: fc.constant("delete thread" as const), at: fc.nat() }),
    fc.record({ kind: fc.constant("crash" as const), slices: fc.nat(4) }),
  ),
  { minLength: 4, maxLength: 24 },
);

describe("deleted rows, in any order of creating, deleting and crashing", () => {
  it("never return, and all other rows stay", async () => {
    await fc.assert(
      fc.asyncProperty(order, async (steps) => {
        const folder = mkdtempSync(join(tmpdir(), "roundhouse-deleted-"));
        const path = join(folder, "engine.db");
        const model: Model = new Map();
        const gone = { workspaces: [] as string[], threads: [] as string[] };
        let database = await openDatabase(path);
        try {
          for (const step of steps) {
            if (step.kind !== "crash") await apply(database.db, model, gone, step);
            else {
              await removeSlices(database.db, step.slices);
              // Nothing waits for the work on the way, as in a crash between two slices.
              database.db.$client.close();
              database = await openDatabase(path);
            }
            await assertSame(database.db, model, gone);
          }
          const rows = new DeletedRows({ db: database.db, log: silentLogger });
          rows.wake();
          await rows.settled();
          await assertSame(database.db, model, gone);
          await assertStored(database.db, model);
        } finally {
          await database[Symbol.asyncDispose]();
          rmSync(folder, { recursive: true });
        }
      }),
      { numRuns: 25 },
    );
  });
});

type Step = { kind: string; at?: number; count?: number };

async function apply(
  db: Database,
  model: Model,
  gone: { workspaces: string[]; threads: string[] },
  { kind, at = 0, count = 0 }: Step,
): Promise<void> {
  const pick = <Item>(items: Item[]) => items[at % Math.max(1, items.length)];
  const uuid = crypto.randomUUID();
  const owner = pick([...model.keys()]);
  const places = [...model].flatMap(([workspace, threads]) =>
    [...threads.keys()].map((thread) => [workspace, thread] as const),
  );
  const [workspace = "", thread] = pick(places) ?? [];
  if (kind === "workspace") {
    await insertWorkspace(db, { name: "w", uuid, networkUuid: crypto.randomUUID(), now: NOW });
    model.set(uuid, new Map());
  } else if (kind === "thread" && owner) {
    await insertThread(db, { workspaceUuid: owner, uuid, now: NOW });
    model.get(owner)?.set(uuid, []);
    await addRecords(db, uuid);
  } else if (kind === "messages" && thread) {
    const texts = Array.from({ length: count }, (_, n) => `${uuid} ${n}`);
    for (const content of texts) {
      const message = {
        uuid: crypto.randomUUID(),
        threadUuid: thread,
        role: "user" as const,
        content,
      };
      const batch = new Batch();
      addMessage(batch, { ...message, now: NOW, touchesThread: false });
      await batch.run(db);
    }
    model
      .get(workspace)
      ?.get(thread)
      ?.push(...texts);
  } else if (kind === "delete workspace" && owner) {
    assert.equal(await deleteWorkspace(db, owner, NOW), true);
    assert.equal(await deleteWorkspace(db, owner, NOW), false);
    gone.workspaces.push(owner);
    gone.threads.push(...(model.get(owner)?.keys() ?? []));
    model.delete(owner);
  } else if (kind === "delete thread" && thread) {
    assert.equal(await deleteThread(db, thread, NOW), workspace);
    assert.equal(await deleteThread(db, thread, NOW), undefined);
    gone.threads.push(thread);
    model.get(workspace)?.delete(thread);
  }
}

async function addRecords(db: Database, threadUuid: string): Promise<void> {
  const from = `FROM threads WHERE uuid = '${threadUuid}'`;
  const times = `'${NOW}', '${NOW}'`;
  await db.$client.batch(
    [
      `INSERT INTO todos (uuid, workspace_id, thread_id, title, status, created_at, updated_at)
       SELECT 'todo ' || uuid, workspace_id, id, '', 'open', ${times} ${from}`,
      `INSERT INTO notes (uuid, workspace_id, title, content, created_at, updated_at)
       SELECT 'note ' || uuid, workspace_id, '', '', ${times} ${from}`,
    ],
    "write",
  );
}

/** Runs the removal until so many commits were made. */
async function removeSlices(db: Database, slices: number): Promise<void> {
  const rows = new DeletedRows({ db, log: silentLogger });
  rows.wake();
  for (let at = 0; at < slices * 4; at += 1) await new Promise((resolve) => setImmediate(resolve));
  void rows.stop();
}

async function list<Entry>(db: Database, query: Parameters<typeof readList>[1]): Promise<Entry[]> {
  const body = await readList({ db, timers: new TestClock() }, query);
  return JSON.parse(await new Response(body).text());
}

async function assertSame(
  db: Database,
  model: Model,
  gone: { workspaces: string[]; threads: string[] },
): Promise<void> {
  const workspaces = await list<{ uuid: string }>(db, allWorkspaces);
  assert.deepEqual(new Set(workspaces.map(({ uuid }) => uuid)), new Set(model.keys()));
  for (const [workspace, threads] of model) {
    const found = await list<{ uuid: string }>(db, threadsOf(workspace));
    assert.deepEqual(new Set(found.map(({ uuid }) => uuid)), new Set(threads.keys()));
    for (const [thread, contents] of threads) {
      const messages = await list<{ content: string }>(db, messagesOf(thread));
      assert.deepEqual(
        messages.map(({ content }) => content),
        contents,
      );
    }
  }
  for (const uuid of gone.workspaces) {
    assert.equal(await findWorkspace(db, uuid), undefined);
    assert.deepEqual(await list(db, threadsOf(uuid)), []);
  }
  for (const uuid of gone.threads) {
    assert.equal(await findThread(db, uuid), undefined);
    assert.deepEqual(await list(db, messagesOf(uuid)), []);
  }
}

/** Nothing is left of what was deleted, and a record outlives its thread. */
async function assertStored(db: Database, model: Model): Promise<void> {
  const count = async (sql: string) => Number((await db.$client.execute(sql)).rows[0]?.n);
  const threads = [...model.values()].flatMap((each) => [...each.values()]);
  assert.equal(await count("SELECT count(*) AS n FROM workspaces"), model.size);
  assert.equal(await count("SELECT count(*) AS n FROM threads"), threads.length);
  assert.equal(await count("SELECT count(*) AS n FROM messages"), threads.flat().length);
  const referring = "SELECT count(*) AS n FROM todos WHERE thread_id IS NOT NULL";
  assert.equal(await count(referring), threads.length);
  assert.deepEqual((await db.$client.execute("PRAGMA foreign_key_check")).rows, []);
}
