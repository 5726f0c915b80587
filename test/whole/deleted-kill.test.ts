import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, it } from "node:test";
import Connection from "libsql";
import {
  type EngineProcess,
  startEngineProcess,
  temporaryDirectory,
} from "../support/engine/process.ts";
import { json } from "../support/http.ts";
import { type Counts, repeats, rounds } from "../support/repeats.ts";

const MESSAGES = repeats({ once: 8_000, long: 30_000 });
const KILLS: Counts = { once: 1, long: 4 };

const filled = temporaryDirectory();
let harness: Harness;
before(async () => {
  harness = await createHarness(filled);
});
after(() => rmSync(filled, { recursive: true }));

/** A data directory that a test may change. */
function copyFilled(): string {
  const dataDirectory = temporaryDirectory();
  cpSync(filled, dataDirectory, { recursive: true });
  return dataDirectory;
}

it("what is deleted stays so over kill -9 in the middle of its removal, which then goes on", async () => {
  const dataDirectory = copyFilled();
  const path = join(dataDirectory, "engine.db");
  const left: number[] = [];
  for (const kill of rounds("kills", KILLS)) {
    await using engine = await startEngineProcess({ dataDirectory });
    if (kill === 0) {
      for (const gone of [`/threads/${harness.thread}`, `/workspaces/${harness.workspace}`]) {
        assert.equal((await engine.call("DELETE", gone)).status, 204);
      }
    } else await assertGone(engine, harness);
    // Some of the rows are removed, and not all.
    const before = left.at(-1) ?? 2 * MESSAGES;
    while (messagesIn(path) >= before) await json(await engine.call("GET", "/workspaces"));
    await engine.end("SIGKILL");
    left.push(messagesIn(path));
    assert.equal(integrityOf(path), "ok");
    // The removal was faster than the kill.
    if (left.at(-1) === 1) break;
  }
  assert.ok(left.at(0)! < 2 * MESSAGES && left.at(-1)! > 0, `${left}`);
  await using engine = await startEngineProcess({ dataDirectory });
  while (messagesIn(path) > 1) await assertGone(engine, harness);
  await assertGone(engine, harness);
  assert.equal((await engine.end("SIGTERM")).code, 0);
  rmSync(dataDirectory, { recursive: true });
});

it("a fork is whole or not there, over kill -9 in the middle of its copy", async () => {
  const dataDirectory = copyFilled();
  const path = join(dataDirectory, "engine.db");
  const { kept, thread, workspace } = harness;
  const all = messagesIn(path);
  for (const kill of rounds("kills of a fork", KILLS)) {
    await using engine = await startEngineProcess({ dataDirectory });
    await deleteForks(engine, thread);
    // What the last kill left is gone.
    while (messagesIn(path) > all) await json(await engine.call("GET", "/workspaces"));
    const forked = engine.call("POST", `/threads/${thread}/forks`, {}).catch(() => undefined);
    const share = (MESSAGES / 4) * (1 + (kill % 3));
    while (messagesIn(path) < all + share) await json(await engine.call("GET", "/workspaces"));
    await engine.end("SIGKILL");
    await forked;
    assert.equal(integrityOf(path), "ok");
  }
  await using engine = await startEngineProcess({ dataDirectory });
  await deleteForks(engine, thread);
  const listed = await json(await engine.call("GET", `/workspaces/${kept.workspace}/threads`));
  assert.equal(listed.length, 2);
  assert.deepEqual(await json(await engine.call("GET", `/threads/${thread}/forks`)), []);
  const fork = await json(await engine.call("POST", `/threads/${thread}/forks`, {}), 201);
  const copies = await json(await engine.call("GET", `/threads/${fork.uuid}/messages`));
  assert.equal(copies.length, MESSAGES);
  while (messagesIn(path) > all + MESSAGES) await json(await engine.call("GET", "/workspaces"));
  assert.equal((await engine.call("GET", `/workspaces/${workspace}`)).status, 200);
  assert.equal((await engine.end("SIGTERM")).code, 0);
  rmSync(dataDirectory, { recursive: true });
});

/** Deletes the forks that were complete before the kill. */
async function deleteForks(engine: EngineProcess, thread: string): Promise<void> {
  for (const { threadUuid } of await json(await engine.call("GET", `/threads/${thread}/forks`))) {
    const copies = await json(await engine.call("GET", `/threads/${threadUuid}/messages`));
    assert.equal(copies.length, MESSAGES);
    assert.equal((await engine.call("DELETE", `/threads/${threadUuid}`)).status, 204);
  }
}

interface Harness {
  kept: { workspace: string; thread: string };
  /** A thread of the kept workspace, and a workspace with one thread; both have many messages. */
  thread: string;
  workspace: string;
  threadOfWorkspace: string;
}

async function createHarness(dataDirectory: string): Promise<Harness> {
  await using engine = await startEngineProcess({ dataDirectory });
  const create = async (place: string, body: object): Promise<string> =>
    (await json(await engine.call("POST", place, body))).uuid;
  const [keptWorkspace, workspace] = [
    await create("/workspaces", { name: "kept" }),
    await create("/workspaces", { name: "gone" }),
  ];
  const kept = await create("/threads", { workspaceUuid: keptWorkspace });
  const thread = await create("/threads", { workspaceUuid: keptWorkspace });
  const threadOfWorkspace = await create("/threads", { workspaceUuid: workspace });
  await create("/messages", { threadUuid: kept, role: "user", content: "kept" });
  await engine.end("SIGTERM");
  fill(join(dataDirectory, "engine.db"), [thread, threadOfWorkspace]);
  return { kept: { workspace: keptWorkspace, thread: kept }, thread, workspace, threadOfWorkspace };
}

function fill(path: string, threads: readonly string[]): void {
  const connection = new Connection(path);
  const insert = connection.prepare(
    `INSERT INTO messages (uuid, thread_id, role, content, created_at)
     WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${MESSAGES})
     SELECT lower(hex(randomblob(16))), (SELECT id FROM threads WHERE uuid = ?), 'user', 'text ' || n,
       '2026-01-01T00:00:00.000Z' FROM number`,
  );
  for (const thread of threads) insert.run(thread);
  connection.close();
}

async function assertGone(engine: EngineProcess, harness: Harness): Promise<void> {
  const { kept, thread, workspace, threadOfWorkspace } = harness;
  for (const uuid of [thread, threadOfWorkspace]) {
    assert.equal((await engine.call("GET", `/threads/${uuid}`)).status, 404);
    assert.deepEqual(await json(await engine.call("GET", `/threads/${uuid}/messages`)), []);
  }
  assert.equal((await engine.call("GET", `/workspaces/${workspace}`)).status, 404);
  const workspaces = await json(await engine.call("GET", "/workspaces"));
  assert.deepEqual(
    workspaces.map(({ uuid }: { uuid: string }) => uuid),
    [kept.workspace],
  );
  const threads = await json(await engine.call("GET", `/workspaces/${kept.workspace}/threads`));
  assert.deepEqual(
    threads.map(({ uuid }: { uuid: string }) => uuid),
    [kept.thread],
  );
  const messages = await json(await engine.call("GET", `/threads/${kept.thread}/messages`));
  assert.deepEqual(
    messages.map(({ content }: { content: string }) => content),
    ["kept"],
  );
}

function ask(path: string, sql: string): unknown {
  const connection = new Connection(path);
  try {
    return (connection.prepare(sql).raw(true).all() as unknown[][])[0]?.[0];
  } finally {
    connection.close();
  }
}

const messagesIn = (path: string) => Number(ask(path, "SELECT count(*) FROM messages"));
const integrityOf = (path: string) => ask(path, "PRAGMA integrity_check");
