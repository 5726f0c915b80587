import { and, eq, exists, getTableColumns, isNull, sql } from "drizzle-orm";
import { type Database, preparedOnce } from "../../shared/database.ts";
import { bytesOf, jsonObject, type ListQuery, type ListShape } from "../db/list.ts";
import { threads, workspaces } from "../db/schema.ts";
import { justAfter } from "../db/time.ts";
import type { CreateThread, Thread, ThreadInWorkspace, UpdateThread } from "./wire.ts";

// Later than every other thread of the workspace: "newest-updated first" must not depend on ties within a millisecond.
const UPDATED_AFTER_ALL = justAfter(
  "(SELECT max(other.updated_at) FROM threads other WHERE other.workspace_id = threads.workspace_id)",
);

/** The statement that says that a thread was used just now. */
export function touchThreadStatement(threadUuid: string, now: string) {
  const sql = `UPDATE threads SET updated_at = max(?1, ${UPDATED_AFTER_ALL}) WHERE uuid = ?2`;
  return { sql, args: [now, threadUuid] };
}

const COLUMNS = { ...getTableColumns(threads), workspaceUuid: workspaces.uuid };

const findQuery = preparedOnce((db) =>
  db
    .select(COLUMNS)
    .from(threads)
    .innerJoin(workspaces, eq(workspaces.id, threads.workspaceId))
    .where(and(eq(threads.uuid, sql.placeholder("uuid")), isNull(workspaces.deletedAt)))
    .prepare(),
);

export function findThread(db: Database, uuid: string): Promise<ThreadInWorkspace | undefined> {
  return findQuery(db).get({ uuid });
}

const FIELDS: Record<keyof Thread, string> = {
  id: "id",
  uuid: "uuid",
  // What the list was asked for.
  workspaceUuid: "?1",
  title: "title",
  description: "description",
  defaultModelId: "default_model_id",
  toolsConfig: "tools_config",
  createdAt: "created_at",
  updatedAt: "updated_at",
};

const IN_WORKSPACE: ListShape = {
  from: "threads",
  where:
    "workspace_id = (SELECT w.id FROM workspaces w WHERE w.uuid = ?1 AND w.deleted_at IS NULL)",
  order: ["updated_at", "id"],
  direction: "DESC",
  item: jsonObject(FIELDS),
  bytes: bytesOf("title", "description", "default_model_id", "tools_config"),
};

/** `Thread[]`, newest-updated first; none for an unknown workspace. */
export function threadsOf(workspaceUuid: string): ListQuery {
  return { shape: IN_WORKSPACE, args: [workspaceUuid] };
}

const ONE = `SELECT ${jsonObject({ ...FIELDS, workspaceUuid: "workspace_uuid" })} AS item
  FROM (SELECT t.*, w.uuid AS workspace_uuid FROM threads t JOIN workspaces w ON w.id = t.workspace_id
    WHERE t.uuid = ?1 AND w.deleted_at IS NULL)`;

/** A `Thread` as JSON text: SQLite writes it faster than a row becomes an object. */
export async function findThreadJson(db: Database, uuid: string): Promise<string | undefined> {
  const { rows } = await db.$client.execute({ sql: ONE, args: [uuid] });
  return rows[0] && String(rows[0].item);
}

/** The statement that makes a thread, for a batch of the caller's: it does nothing where the workspace is unknown. */
export function insertThreadStatement(input: CreateThread & { uuid: string; now: string }) {
  return {
    sql: `INSERT INTO threads
            (uuid, workspace_id, title, description, default_model_id, tools_config, created_at, updated_at)
          SELECT ?1, id, ?2, ?3, ?4, ?5, time, time FROM (
            SELECT id, max(?6, ${justAfter("(SELECT max(updated_at) FROM threads WHERE workspace_id = workspaces.id)")}) AS time
            FROM workspaces WHERE uuid = ?7 AND deleted_at IS NULL
          )`,
    args: [
      input.uuid,
      input.title ?? null,
      input.description ?? null,
      input.defaultModelId ?? null,
      input.toolsConfig ?? null,
      input.now,
      input.workspaceUuid,
    ],
  };
}

/** Undefined where the workspace is unknown. */
export async function insertThread(
  db: Database,
  input: CreateThread & { uuid: string; now: string },
): Promise<ThreadInWorkspace | undefined> {
  await db.$client.execute(insertThreadStatement(input));
  return findThread(db, input.uuid);
}

/** Undefined where the thread is unknown. */
export async function updateThread(
  db: Database,
  uuid: string,
  changes: UpdateThread & { now: string },
): Promise<ThreadInWorkspace | undefined> {
  const { title, description, defaultModelId, toolsConfig, now } = changes;
  const updatedAt = sql`max(${now}, ${sql.raw(UPDATED_AFTER_ALL)})`;
  const [row] = await db
    .update(threads)
    .set({ title, description, defaultModelId, toolsConfig, updatedAt })
    .where(isLive(db, uuid))
    .returning({ id: threads.id });
  return row && findThread(db, uuid);
}

/** The statement that sets a thread's default model, for a batch of the caller's: a turn writes what it resolved. */
export function setDefaultModelStatement(uuid: string, defaultModelId: string | null) {
  return {
    sql: "UPDATE threads SET default_model_id = ?1 WHERE uuid = ?2",
    args: [defaultModelId, uuid],
  };
}

// A thread is there while its workspace is.
function isLive(db: Database, uuid: string) {
  const owner = db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(eq(workspaces.id, threads.workspaceId), isNull(workspaces.deletedAt)));
  return and(eq(threads.uuid, uuid), exists(owner));
}

const DELETED_WORKSPACE = `INSERT INTO workspaces (uuid, network_id, name, created_at, updated_at, deleted_at)
  SELECT ?1, w.network_id, '', ?2, ?2, ?2 FROM threads t JOIN workspaces w ON w.id = t.workspace_id
  WHERE t.uuid = ?3 AND w.deleted_at IS NULL
  RETURNING id`;
const MOVE_AWAY = `UPDATE threads SET workspace_id = (SELECT id FROM workspaces WHERE uuid = ?1)
  WHERE uuid = ?2 AND EXISTS (SELECT 1 FROM workspaces WHERE uuid = ?1)`;

/**
 * It moves into a workspace of its own that is already deleted, so no answer finds it; its rows follow
 * (`engine/db/deleted-rows.ts`). Whether it was there.
 */
export async function deleteThread(db: Database, uuid: string, now: string): Promise<boolean> {
  const owner = crypto.randomUUID();
  const statements = [
    { sql: DELETED_WORKSPACE, args: [owner, now, uuid] },
    { sql: MOVE_AWAY, args: [owner, uuid] },
  ];
  const [made] = await db.$client.batch(statements, "write");
  return made !== undefined && made.rows.length > 0;
}

/** Whether it was there. */
export async function replaceThreadPolicy(
  db: Database,
  uuid: string,
  policy: { approvalConfig: string | null; skillsConfig: string | null },
): Promise<boolean> {
  const query = db.update(threads).set(policy).where(isLive(db, uuid));
  return (await query.returning({ id: threads.id })).length > 0;
}
