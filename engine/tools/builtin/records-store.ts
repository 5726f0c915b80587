import type { InValue } from "@libsql/client";
import type { Database } from "../../../shared/database.ts";
import { justAfter } from "../../db/time.ts";

/** A kind of record that the built-in tools keep for a workspace. All names are constants of the program. */
export interface RecordKind {
  table: "todos" | "memories" | "notes" | "contacts";
  columns: readonly string[];
  /** Whether a record refers to the thread that created it. */
  hasThread: boolean;
}

/** A record as a model sees it: its id, its columns and its times. */
export type WorkspaceRecord = Record<string, unknown>;

type Values = Readonly<Record<string, string | null | undefined>>;

interface Owner {
  workspaceId: number;
  uuid: string;
}

const LIVE_WORKSPACE =
  "workspace_id = (SELECT w.id FROM workspaces w WHERE w.id = ? AND w.deleted_at IS NULL)";

/** Undefined where the workspace was deleted. A deleted thread is stored as null. */
export async function insertRecord(
  db: Database,
  kind: RecordKind,
  input: Owner & { threadId: number; values: Values; now: string },
): Promise<WorkspaceRecord | undefined> {
  const { workspaceId, uuid, threadId, values, now } = input;
  const names = [...kind.columns, ...(kind.hasThread ? ["thread_id"] : [])];
  const texts = kind.columns.map((name) => values[name] ?? null);
  const marks = [
    ...texts.map(() => "?"),
    ...(kind.hasThread
      ? [`(SELECT id FROM threads WHERE id = ? AND workspace_id = workspaces.id)`]
      : []),
  ];
  const sql = `INSERT INTO ${kind.table} (uuid, workspace_id, created_at, updated_at, ${names.join(", ")})
    SELECT ?, id, ?, ?, ${marks.join(", ")} FROM workspaces WHERE id = ? AND deleted_at IS NULL RETURNING ${shown(kind)}`;
  const thread = kind.hasThread ? [threadId] : [];
  return first(db, sql, [uuid, now, now, ...texts, ...thread, workspaceId]);
}

/** A page, newest first, with the total. `query` is matched in every column, ignoring case. */
export async function listRecords(
  db: Database,
  kind: RecordKind,
  page: { workspaceId: number; query: string; limit: number; offset: number },
): Promise<{ records: WorkspaceRecord[]; total: number }> {
  const text = kind.columns.map((name) => `coalesce(${name}, '')`).join(" || char(10) || ");
  const where = `${LIVE_WORKSPACE} AND instr(lower(${text}), lower(?)) > 0`;
  const list = `SELECT ${shown(kind)} FROM ${kind.table} WHERE ${where}
    ORDER BY updated_at DESC, id DESC LIMIT ? OFFSET ?`;
  const scope = [page.workspaceId, page.query];
  const [listed, counted] = await Promise.all([
    db.$client.execute({ sql: list, args: [...scope, page.limit, page.offset] }),
    db.$client.execute({
      sql: `SELECT count(*) AS total FROM ${kind.table} WHERE ${where}`,
      args: scope,
    }),
  ]);
  const records = listed.rows.map((row) => ({ ...toRecord(listed.columns, row) }));
  return { records, total: Number(counted.rows[0]?.total ?? 0) };
}

/** Writes the columns that are not undefined. Undefined where the workspace has no such record. */
export async function patchRecord(
  db: Database,
  kind: RecordKind,
  { workspaceId, uuid, values, now }: Owner & { values: Values; now: string },
): Promise<WorkspaceRecord | undefined> {
  const changed = kind.columns.filter((name) => values[name] !== undefined);
  const sets = [
    ...changed.map((name) => `${name} = ?`),
    `updated_at = max(?, ${justAfter("updated_at")})`,
  ];
  const sql = `UPDATE ${kind.table} SET ${sets.join(", ")}
    WHERE ${LIVE_WORKSPACE} AND uuid = ? RETURNING ${shown(kind)}`;
  const texts = changed.map((name) => values[name] ?? null);
  return first(db, sql, [...texts, now, workspaceId, uuid]);
}

/** Returns whether the record existed. */
export async function deleteRecord(
  db: Database,
  kind: RecordKind,
  { workspaceId, uuid }: Owner,
): Promise<boolean> {
  const sql = `DELETE FROM ${kind.table} WHERE ${LIVE_WORKSPACE} AND uuid = ? RETURNING uuid AS id`;
  return (await first(db, sql, [workspaceId, uuid])) !== undefined;
}

function shown({ columns }: RecordKind): string {
  return ["uuid AS id", ...columns, "created_at", "updated_at"].join(", ");
}

async function first(
  db: Database,
  sql: string,
  args: InValue[],
): Promise<WorkspaceRecord | undefined> {
  const { rows, columns } = await db.$client.execute({ sql, args });
  return rows[0] && toRecord(columns, rows[0]);
}

function toRecord(columns: readonly string[], row: Record<string, unknown>): WorkspaceRecord {
  return Object.fromEntries(columns.map((name) => [name, row[name]]));
}
