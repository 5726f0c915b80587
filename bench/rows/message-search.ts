import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { openDatabase } from "../../engine/db/open.ts";
import { EventBus } from "../../engine/events/bus.ts";
import { MessageIndex } from "../../engine/search/message-index.ts";
import { searchMessages } from "../../engine/search/search.ts";
import type { Database } from "../../shared/database.ts";
import { silentLogger } from "../../shared/log.ts";
import { milliseconds, type Result, type Row, race } from "../harness.ts";

const MESSAGES = 100_000;
const MESSAGES_AT_ONCE = 10_000;
const LIMIT = 20;
const ROUNDS = 9;
const NOW = "2026-01-01T00:00:00.000Z";
const WORDS =
  "engine stores messages of threads and finds each by words that a client asks for".split(" ");

interface Search {
  part: string;
  query: string;
  /** The same in the language of FTS5. */
  expression: string;
  ratioMax: number;
}

// The ratio of a search that matches little is that of the statements around it.
const SEARCHES: Search[] = [
  { part: "one match", query: "number4711", expression: '"number4711"', ratioMax: 5 },
  {
    part: "two words, 10 matches",
    query: "engine rare42",
    expression: '"engine" AND "rare42"',
    ratioMax: 1,
  },
  // Not the same work: the engine ranks the newest 500 of them, plain FTS5 ranks all.
  {
    part: "every message (FTS5 ranks all, the engine 500)",
    query: "engine",
    expression: '"engine"',
    ratioMax: 0.5,
  },
];

/** Both in this process, so that only the search counts. */
export const messageSearchRow: Row = {
  name: "message search, 100,000 messages, beside plain FTS5",
  figure: SEARCHES.map(({ part, ratioMax }) => `${part} ≤ ${ratioMax}`).join("; "),
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), "roundhouse-messages-"));
    try {
      await using database = await openDatabase(join(folder, "engine.db"));
      const { db } = database;
      const index = new MessageIndex({ db, log: silentLogger, events: new EventBus(Date) });
      const floor = new SqliteDatabase(join(folder, "floor.db"));
      await fill(db, floor);
      index.wake();
      await index.settled();
      const results: Result[] = [];
      for (const search of SEARCHES)
        results.push(await measureSearch({ db, index }, floor, search));
      floor.close();
      await index.stop();
      return results;
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

async function measureSearch(
  deps: { db: Database; index: MessageIndex },
  floor: SqliteDatabase.Database,
  { part, query, expression, ratioMax }: Search,
): Promise<Result> {
  const statement = floor.prepare<[string, number]>(
    `SELECT uuid, snippet(searched, 0, '', '', '…', 40) AS snippet, bm25(searched) AS score
     FROM searched JOIN messages ON messages.id = searched.rowid WHERE searched MATCH ? ORDER BY rank LIMIT ?`,
  );
  const scope = { workspaceUuid: undefined, threadUuid: undefined };
  const ours = async () => (await searchMessages(deps, { query, limit: LIMIT, ...scope })).length;
  const theirs = async () => statement.all(expression, LIMIT).length;
  const [found, expected] = [await ours(), await theirs()];
  if (found !== expected) throw new Error(`${part}: ${found} messages, not ${expected}.`);
  const result = await race({
    ours: () => milliseconds(ours),
    floor: () => milliseconds(theirs),
    ratioMax,
    rounds: ROUNDS,
  });
  return { part, ...result };
}

/** All messages are those of an engine that had no search. */
export async function leaveUnindexed(db: Database): Promise<void> {
  await db.$client.execute("UPDATE indexed_messages SET up_to = 0");
}

/** The same messages in both. */
async function fill(db: Database, floor: SqliteDatabase.Database): Promise<void> {
  await db.$client.batch(
    [
      `INSERT INTO networks (uuid, name, created_at) VALUES ('n', 'default', '${NOW}')`,
      `INSERT INTO workspaces (uuid, network_id, name, created_at, updated_at) VALUES ('w', 1, 'w', '${NOW}', '${NOW}')`,
      `INSERT INTO threads (uuid, workspace_id, created_at, updated_at) VALUES ('t', 1, '${NOW}', '${NOW}')`,
    ],
    "write",
  );
  floor.exec(`CREATE TABLE messages (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL, content TEXT NOT NULL) STRICT;
    CREATE VIRTUAL TABLE searched USING fts5(content, content='messages', content_rowid='id', tokenize='unicode61 remove_diacritics 2')`);
  const add = floor.prepare(
    "INSERT INTO messages (uuid, content) SELECT 'm' || (key + ?), value FROM json_each(?)",
  );
  for (let at = 0; at < MESSAGES; at += MESSAGES_AT_ONCE) {
    const texts = JSON.stringify(
      Array.from({ length: MESSAGES_AT_ONCE }, (_, n) => textOf(at + n)),
    );
    await db.$client.execute({
      sql: `INSERT INTO messages (uuid, thread_id, role, content, created_at)
        SELECT 'm' || (key + ?1), 1, 'user', value, '${NOW}' FROM json_each(?2)`,
      args: [at, texts],
    });
    add.run(at, texts);
  }
  floor.exec("INSERT INTO searched (searched) VALUES ('rebuild')");
  await leaveUnindexed(db);
}

function textOf(number: number): string {
  const turn = number % WORDS.length;
  const words = [...WORDS.slice(turn), ...WORDS.slice(0, turn)].join(" ");
  return `number${number} ${words} rare${number % (MESSAGES / 10)} ${words}`;
}
