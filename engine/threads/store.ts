import { desc, eq, getTableColumns, sql } from "drizzle-orm";
import { type Database, preparedOnce } from "../../shared/database.ts";
import { threads, workspaces } from "../db/schema.ts";
import { justAfter } from "../db/time.ts";
import type { CreateThread, ThreadInWorkspace, UpdateThread } from "./wire.ts";

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
    .where(eq(threads.uuid, sql.placeholder("uuid")))
    .prepare(),
);

export function findThread(db: Database, uuid: string): Promise<ThreadInWorkspace | undefined> {
  return findQuery(db).get({ uuid });
}

const listQuery = preparedOnce((db) =>
  db
    .select(COLUMNS)
    .from(threads)
    .innerJoin(workspaces, eq(workspaces.id, threads.workspaceId))
    .where(eq(workspaces.uuid, sql.placeholder("workspaceUuid")))
    .orderBy(desc(threads.updatedAt), desc(threads.id))
    .prepare(),
);

/** Newest-updated first; none for an unknown workspace. */
export function listThreads(db: Database, workspaceUuid: string): Promise<ThreadInWorkspace[]> {
  return listQuery(db).all({ workspaceUuid });
}

/** The statement that makes a thread, for a batch of the caller's: it does nothing where the workspace is unknown. */
export function insertThreadStatement(input: CreateThread & { uuid: string; now: string }) {
  return {
    sql: `INSERT INTO threads
            (uuid, workspace_id, title, description, default_model_id, tools_config, created_at, updated_at)
          SELECT ?1, id, ?2, ?3, ?4, ?5, time, time FROM (
            SELECT id, max(?6, ${justAfter("(SELECT max(updated_at) FROM threads WHERE workspace_id = workspaces.id)")}) AS time
            FROM workspaces WHERE uuid = ?7
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
    .where(eq(threads.uuid, uuid))
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

/** Its messages go with it, by cascade. Whether it was there. */
export async function deleteThread(db: Database, uuid: string): Promise<boolean> {
  const query = db.delete(threads).where(eq(threads.uuid, uuid));
  return (await query.returning({ id: threads.id })).length > 0;
}

/** Whether it was there. */
export async function replaceThreadPolicy(
  db: Database,
  uuid: string,
  policy: { approvalConfig: string | null; skillsConfig: string | null },
): Promise<boolean> {
  const query = db.update(threads).set(policy).where(eq(threads.uuid, uuid));
  return (await query.returning({ id: threads.id })).length > 0;
}
