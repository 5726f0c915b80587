import type { InStatement } from "@libsql/client";
import { Batch } from "../../shared/batch.ts";
import { type Database, readFirst } from "../../shared/database.ts";
import { columnsOf } from "../db/columns.ts";
import type { ListQuery } from "../db/list.ts";
import { jsonOf, type ListShape } from "../db/list-shape.ts";
import { threadSummaries, threads } from "../db/schema.ts";
import { justAfter } from "../db/time.ts";
import { Fork, ForkOrigin } from "./wire.ts";

/** A thread that is hidden while messages are copied into it. */
export interface HiddenThread {
  uuid: string;
  /** The deleted workspace that has it. */
  ownerUuid: string;
  originUuid: string;
  title: string | null;
  /** Whether it is a version of the conversation of its origin. */
  isVersion: boolean;
  now: string;
}

const ORIGIN = `threads origin JOIN workspaces w ON w.id = origin.workspace_id
  WHERE origin.uuid = :originUuid AND w.deleted_at IS NULL`;

const INSERT_OWNER = `INSERT INTO workspaces (uuid, network_id, name, created_at, updated_at, deleted_at)
  SELECT :ownerUuid, w.network_id, '', :now, :now, :now FROM ${ORIGIN}`;

// Of its own are also its title and its conversation.
const OF_THREADS = columnsOf(
  threads,
  ...[
    "id",
    "uuid",
    "workspaceId",
    "title",
    "titleByEngine",
    "conversationUuid",
    "createdAt",
    "updatedAt",
  ],
);

const INSERT_THREAD = `INSERT INTO threads (uuid, workspace_id, title, title_by_engine, conversation_uuid, created_at, updated_at, ${OF_THREADS})
  SELECT :uuid, (SELECT id FROM workspaces WHERE uuid = :ownerUuid), coalesce(:title, origin.title),
    iif(:title IS NULL, origin.title_by_engine, 0),
    iif(:isVersion, coalesce(origin.conversation_uuid, origin.uuid), NULL), :now, :now,
    ${OF_THREADS.map((column) => `origin.${column}`)} FROM ${ORIGIN}
  RETURNING id`;

/**
 * Inserts the thread in a workspace of its own that is deleted from the start, as that of a deleted thread. Returns its id;
 * undefined if the origin is unknown.
 */
export async function insertHidden(
  db: Database,
  thread: HiddenThread,
): Promise<number | undefined> {
  const batch = new Batch();
  batch.add({ sql: INSERT_OWNER, args: { ...thread } });
  const inserted = batch.add({ sql: INSERT_THREAD, args: { ...thread } });
  await batch.run(db);
  const [row] = inserted();
  return row && Number(row.id);
}

// A thread is shown only while its origin is there: until then no message of the origin was removed.
const SHOW = `UPDATE threads SET workspace_id = place.id, updated_at = max(:now, ${justAfter("place.newest")})
  FROM (SELECT w.id, (SELECT max(updated_at) FROM threads WHERE workspace_id = w.id) AS newest FROM ${ORIGIN}) AS place
  WHERE threads.uuid = :uuid`;

const INSERT_FORK = `INSERT INTO forks (thread_id, origin_uuid, through_message_uuid, replaced_message_uuid,
    replacement_message_uuid, created_at)
  SELECT t.id, :originUuid, :throughMessageUuid, :replacedMessageUuid, :replacementMessageUuid, :now
  FROM threads t JOIN workspaces w ON w.id = t.workspace_id WHERE t.uuid = :uuid AND w.deleted_at IS NULL`;

const OF_SUMMARIES = columnsOf(threadSummaries, "id", "threadId");

// A summary goes along if all that it covers was copied.
const COPY_SUMMARY = `INSERT INTO thread_summaries (thread_id, ${OF_SUMMARIES.join(", ")})
  SELECT t.id, ${OF_SUMMARIES.map((column) => `s.${column}`).join(", ")}
  FROM threads t JOIN workspaces w ON w.id = t.workspace_id
    JOIN threads origin ON origin.uuid = :originUuid JOIN thread_summaries s ON s.thread_id = origin.id
  WHERE t.uuid = :uuid AND w.deleted_at IS NULL
    AND s.history_after <= (SELECT max(created_at) FROM messages WHERE thread_id = t.id)`;

interface ShownFork extends Omit<Fork, "threadUuid" | "createdAt"> {
  uuid: string;
  originUuid: string;
  now: string;
}

/** Shows a hidden thread; no effect if its origin was deleted. */
export function showStatements(fork: ShownFork): InStatement[] {
  return [SHOW, INSERT_FORK, COPY_SUMMARY].map((sql) => ({ sql, args: { ...fork } }));
}

const OF_ORIGIN: ListShape = {
  from: `(SELECT id AS fork FROM forks WHERE origin_uuid = :threadUuid) CROSS JOIN forks ON forks.id = fork
    CROSS JOIN threads ON threads.id = forks.thread_id CROSS JOIN workspaces ON workspaces.id = threads.workspace_id`,
  // Those of a deleted origin are its no more.
  where: `workspaces.deleted_at IS NULL AND EXISTS (SELECT 1 FROM threads t JOIN workspaces w ON w.id = t.workspace_id
    WHERE t.uuid = :threadUuid AND w.deleted_at IS NULL)`,
  order: ["forks.id"],
  direction: "ASC",
  item: jsonOf(Fork, { threadUuid: "threads.uuid" }, "forks."),
  bytes: "0",
};

/** `Fork[]`, the first one first; none for an unknown thread. */
export function forksOf(threadUuid: string): ListQuery {
  return { shape: OF_ORIGIN, args: { threadUuid } };
}

const ORIGIN_ITEM = jsonOf(
  ForkOrigin,
  { threadUuid: "origin.uuid", messageUuid: "forks.through_message_uuid" },
  "forks.",
);

const ORIGIN_OF = `SELECT ${ORIGIN_ITEM} FROM threads
  JOIN workspaces ON workspaces.id = threads.workspace_id AND workspaces.deleted_at IS NULL
  JOIN forks ON forks.thread_id = threads.id
  JOIN threads origin ON origin.uuid = forks.origin_uuid
  JOIN workspaces w ON w.id = origin.workspace_id AND w.deleted_at IS NULL
  WHERE threads.uuid = :threadUuid`;

/** A `ForkOrigin` as JSON text; undefined if the thread is no fork, or its origin was deleted. */
export async function findOriginJson(
  db: Database,
  threadUuid: string,
): Promise<string | undefined> {
  const row = await readFirst(db, ORIGIN_OF, { threadUuid });
  return row && String(row[0]);
}
