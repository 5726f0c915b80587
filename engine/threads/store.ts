import type { ResultSet } from "@libsql/client";
import { and, eq, exists, getTableColumns, isNull, or, sql } from "drizzle-orm";
import { Batch } from "../../shared/batch.ts";
import { type Database, readFirst } from "../../shared/database.ts";
import type { ListQuery } from "../db/list.ts";
import { bytesOf, jsonOf, type ListShape } from "../db/list-shape.ts";
import { type ThreadRow, threads, type WorkspaceRow, workspaces } from "../db/schema.ts";
import { justAfter } from "../db/time.ts";
import { type CreateThread, Thread, type ThreadInWorkspace, type UpdateThread } from "./wire.ts";

// Later than every other thread of the workspace: "newest-updated first" must not depend on ties within a millisecond.
const UPDATED_AFTER_ALL = justAfter(
  "(SELECT max(other.updated_at) FROM threads other WHERE other.workspace_id = threads.workspace_id)",
);

/** The statement that moves the `updated_at` of a thread. */
export function touchThreadStatement(threadUuid: string, now: string) {
  const sql = `UPDATE threads SET updated_at = max(:now, ${UPDATED_AFTER_ALL}) WHERE uuid = :threadUuid`;
  return { sql, args: { now, threadUuid } };
}

const COLUMNS = { ...getTableColumns(threads), workspaceUuid: workspaces.uuid };

/** A thread and its workspace, of one moment. */
export function findThreadAndWorkspace(
  db: Database,
  uuid: string,
): Promise<{ thread: ThreadInWorkspace; workspace: WorkspaceRow } | undefined> {
  return db
    .select({ thread: COLUMNS, workspace: getTableColumns(workspaces) })
    .from(threads)
    .innerJoin(workspaces, eq(workspaces.id, threads.workspaceId))
    .where(and(eq(threads.uuid, uuid), isNull(workspaces.deletedAt)))
    .get();
}

export async function findThread(
  db: Database,
  uuid: string,
): Promise<ThreadInWorkspace | undefined> {
  return (await findThreadAndWorkspace(db, uuid))?.thread;
}

const IN_WORKSPACE: ListShape = {
  from: "threads",
  where:
    "workspace_id = (SELECT w.id FROM workspaces w WHERE w.uuid = :workspaceUuid AND w.deleted_at IS NULL)",
  order: ["updated_at", "id"],
  direction: "DESC",
  item: jsonOf(Thread, { workspaceUuid: ":workspaceUuid" }),
  bytes: bytesOf("title", "description", "default_model_id", "tools_config"),
};

/** `Thread[]`, newest-updated first; none for an unknown workspace. */
export function threadsOf(workspaceUuid: string): ListQuery {
  return { shape: IN_WORKSPACE, args: { workspaceUuid } };
}

const CHOSEN: ListShape = {
  ...IN_WORKSPACE,
  // The plus keeps SQLite from its index over all threads of the workspace: the ids are few.
  where: `+${IN_WORKSPACE.where} AND id IN (SELECT value FROM json_each(:ids))`,
};

/** `Thread[]` of these ids, newest-updated first. */
export function threadsAmong(workspaceUuid: string, ids: readonly number[]): ListQuery {
  return { shape: CHOSEN, args: { workspaceUuid, ids: JSON.stringify(ids) } };
}

/** The position of a thread in the list of its workspace. */
export interface ThreadPlace {
  uuid: string;
  updatedAt: string;
  id: number;
}

const PLACE = `SELECT uuid, updated_at, id FROM threads WHERE ${IN_WORKSPACE.where} AND uuid = :uuid`;

/** Undefined if it is no thread of the workspace. */
export async function findThreadPlace(
  db: Database,
  workspaceUuid: string,
  uuid: string,
): Promise<ThreadPlace | undefined> {
  const { rows } = await db.$client.execute({ sql: PLACE, args: { workspaceUuid, uuid } });
  return rows[0] && toPlace(rows[0]);
}

/** A thread of a page. The beginning of its title is there where titles are searched. */
interface ListedThread extends ThreadPlace {
  title: string;
}

const isNewer = (other: string) =>
  `${other}.workspace_id = threads.workspace_id AND (${other}.updated_at, ${other}.id) > (threads.updated_at, threads.id)`;

// The first thread of a conversation has no `conversation_uuid`: its versions name it.
const IS_NEWEST_VERSION = `NOT EXISTS (SELECT 1 FROM threads version
    WHERE version.conversation_uuid = coalesce(threads.conversation_uuid, threads.uuid) AND ${isNewer("version")})
  AND NOT EXISTS (SELECT 1 FROM threads original WHERE original.uuid = threads.conversation_uuid AND ${isNewer("original")})`;

const BELOW = `SELECT uuid, updated_at, id, CASE WHEN :titleCharacters > 0 THEN substr(coalesce(title, ''), 1, :titleCharacters) ELSE '' END AS title
  FROM threads WHERE ${IN_WORKSPACE.where} AND (updated_at, id) < (:updatedAt, :id)
    AND (:allVersions OR (${IS_NEWEST_VERSION}))
  ORDER BY updated_at DESC, id DESC LIMIT :limit`;

export interface ThreadsBelow {
  /** Undefined is above every position. */
  below: ThreadPlace | undefined;
  limit: number;
  titleCharacters: number;
  /** Whether a conversation is listed with all of its versions, rather than with the newest-updated one. */
  allVersions: boolean;
}

/** The newest-updated threads below a position, or of all. */
export async function listThreadsBelow(
  db: Database,
  workspaceUuid: string,
  { below, ...read }: ThreadsBelow,
): Promise<ListedThread[]> {
  const { updatedAt, id } = below ?? { updatedAt: "~", id: 0 };
  const args = { workspaceUuid, updatedAt, id, ...read };
  const { rows } = await db.$client.execute({ sql: BELOW, args });
  return rows.map((row) => ({ ...toPlace(row), title: String(row.title) }));
}

function toPlace({ uuid, updated_at, id }: ResultSet["rows"][number]): ThreadPlace {
  return { uuid: String(uuid), updatedAt: String(updated_at), id: Number(id) };
}

const ONE = `SELECT ${jsonOf(Thread)} AS item
  FROM (SELECT t.*, w.uuid AS workspace_uuid FROM threads t JOIN workspaces w ON w.id = t.workspace_id
    WHERE t.uuid = :uuid AND w.deleted_at IS NULL)`;

/** A `Thread` as JSON text: SQLite writes it faster than a row becomes an object. */
export async function findThreadJson(db: Database, uuid: string): Promise<string | undefined> {
  const row = await readFirst(db, ONE, { uuid });
  return row && String(row[0]);
}

/** The statement that inserts a thread, for a batch of the caller; it has no effect if the workspace is unknown. */
export function insertThreadStatement(
  input: CreateThread & { uuid: string; now: string; titleByEngine?: boolean },
) {
  return {
    sql: `INSERT INTO threads
            (uuid, workspace_id, title, title_by_engine, description, default_model_id, tools_config, created_at, updated_at)
          SELECT :uuid, id, :title, :titleByEngine, :description, :defaultModelId, :toolsConfig, time, time FROM (
            SELECT id, max(:now, ${justAfter("(SELECT max(updated_at) FROM threads WHERE workspace_id = workspaces.id)")}) AS time
            FROM workspaces WHERE uuid = :workspaceUuid AND deleted_at IS NULL
          )`,
    args: {
      uuid: input.uuid,
      title: input.title ?? null,
      titleByEngine: input.titleByEngine === true,
      description: input.description ?? null,
      defaultModelId: input.defaultModelId ?? null,
      toolsConfig: input.toolsConfig ?? null,
      now: input.now,
      workspaceUuid: input.workspaceUuid,
    },
  };
}

/** Undefined if the workspace is unknown. */
export async function insertThread(
  db: Database,
  input: CreateThread & { uuid: string; now: string },
): Promise<ThreadInWorkspace | undefined> {
  await db.$client.execute(insertThreadStatement(input));
  return findThread(db, input.uuid);
}

/** Undefined if the thread is unknown. */
export async function updateThread(
  db: Database,
  uuid: string,
  changes: UpdateThread & { now: string },
): Promise<ThreadInWorkspace | undefined> {
  const { title, description, defaultModelId, toolsConfig, now } = changes;
  const updatedAt = sql`max(${now}, ${sql.raw(UPDATED_AFTER_ALL)})`;
  const done = await db
    .update(threads)
    .set({
      title,
      ...(title !== undefined && { titleByEngine: false }),
      description,
      defaultModelId,
      toolsConfig,
      updatedAt,
    })
    .where(isLive(db, uuid));
  return done.rowsAffected > 0 ? findThread(db, uuid) : undefined;
}

/** Whether a person gave the thread its title. */
export function hasPersonsTitle({ title, titleByEngine }: ThreadRow): boolean {
  return title !== null && !titleByEngine;
}

/** Sets a title that a model made; undefined if the thread is unknown, or a person has given it one. */
export async function updateEngineTitle(
  db: Database,
  uuid: string,
  { title, now }: { title: string; now: string },
): Promise<ThreadInWorkspace | undefined> {
  const updatedAt = sql`max(${now}, ${sql.raw(UPDATED_AFTER_ALL)})`;
  const done = await db
    .update(threads)
    .set({ title, titleByEngine: true, updatedAt })
    .where(and(isLive(db, uuid), or(isNull(threads.title), eq(threads.titleByEngine, true))));
  return done.rowsAffected > 0 ? findThread(db, uuid) : undefined;
}

/** The statement that sets a thread's default model, for the batch of a turn. */
export function setDefaultModelStatement(uuid: string, defaultModelId: string | null) {
  return {
    sql: "UPDATE threads SET default_model_id = :defaultModelId WHERE uuid = :uuid",
    args: { defaultModelId, uuid },
  };
}

// A thread exists while its workspace is not deleted.
function isLive(db: Database, uuid: string) {
  const owner = db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(eq(workspaces.id, threads.workspaceId), isNull(workspaces.deletedAt)));
  return and(eq(threads.uuid, uuid), exists(owner));
}

const WORKSPACE_OF = `SELECT w.uuid FROM threads t JOIN workspaces w ON w.id = t.workspace_id
  WHERE t.uuid = :uuid AND w.deleted_at IS NULL`;
const DELETED_WORKSPACE = `INSERT INTO workspaces (uuid, network_id, name, created_at, updated_at, deleted_at)
  SELECT :owner, w.network_id, '', :now, :now, :now FROM threads t JOIN workspaces w ON w.id = t.workspace_id
  WHERE t.uuid = :uuid AND w.deleted_at IS NULL`;
const MOVE_AWAY = `UPDATE threads SET workspace_id = (SELECT id FROM workspaces WHERE uuid = :owner)
  WHERE uuid = :uuid AND EXISTS (SELECT 1 FROM workspaces WHERE uuid = :owner)`;

/**
 * Moves the thread into a workspace of its own that is already deleted, so no answer finds it. Its rows are removed
 * later (`engine/db/deleted-rows.ts`). Returns the uuid of its workspace; undefined if the thread is unknown.
 */
export async function deleteThread(
  db: Database,
  uuid: string,
  now: string,
): Promise<string | undefined> {
  const owner = crypto.randomUUID();
  const batch = new Batch();
  const found = batch.add({ sql: WORKSPACE_OF, args: { uuid } });
  batch.add({ sql: DELETED_WORKSPACE, args: { owner, now, uuid } });
  batch.add({ sql: MOVE_AWAY, args: { owner, uuid } });
  await batch.run(db);
  const [workspace] = found();
  return workspace && String(workspace.uuid);
}

/** Returns whether the thread existed. */
export async function replaceThreadPolicy(
  db: Database,
  uuid: string,
  policy: { approvalConfig: string | null; skillsConfig: string | null },
): Promise<boolean> {
  return (await db.update(threads).set(policy).where(isLive(db, uuid))).rowsAffected > 0;
}
