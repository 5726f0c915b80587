import type { InValue } from "@libsql/client";
import type { Database } from "../../../shared/database.ts";
import { readPages } from "../../db/list.ts";
import { bytesOf, jsonObject, type ListShape } from "../../db/list-shape.ts";
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
  "workspace_id = (SELECT w.id FROM workspaces w WHERE w.id = :workspaceId AND w.deleted_at IS NULL)";

const LIVE_THREAD =
  "(SELECT id FROM threads WHERE id = :threadId AND workspace_id = workspaces.id)";

/** Undefined if the workspace was deleted. A deleted thread is stored as null. */
export async function insertRecord(
  db: Database,
  kind: RecordKind,
  input: Owner & { threadId: number; values: Values; now: string },
): Promise<WorkspaceRecord | undefined> {
  const { workspaceId, uuid, threadId, values, now } = input;
  const columns = Object.fromEntries(kind.columns.map((name) => [name, `:${name}`]));
  if (kind.hasThread) columns.thread_id = LIVE_THREAD;
  const sql = `INSERT INTO ${kind.table} (uuid, workspace_id, created_at, updated_at, ${Object.keys(columns).join(", ")})
    SELECT :uuid, id, :now, :now, ${Object.values(columns).join(", ")}
    FROM workspaces WHERE id = :workspaceId AND deleted_at IS NULL RETURNING ${shown(kind)}`;
  return first(db, sql, { ...textsOf(kind.columns, values), threadId, uuid, now, workspaceId });
}

/**
 * A page, newest first, with the total. `query` is matched in every column, ignoring case. All records are read, in pages of
 * one moment: no number of them blocks the event loop.
 */
export async function listRecords(
  db: Database,
  kind: RecordKind,
  page: { workspaceId: number; query: string; limit: number; offset: number },
  signal: AbortSignal,
): Promise<{ records: WorkspaceRecord[]; total: number }> {
  const { workspaceId, query, limit, offset } = page;
  const records: WorkspaceRecord[] = [];
  let total = 0;
  for await (const items of readPages(db, { shape: shapeOf(kind), args: { workspaceId, query } })) {
    signal.throwIfAborted();
    const found: WorkspaceRecord[] = JSON.parse(`[${items}]`);
    const from = Math.max(0, offset - total);
    records.push(...found.slice(from, from + limit - records.length));
    total += found.length;
  }
  return { records, total };
}

function shapeOf({ table, columns }: RecordKind): ListShape {
  const text = columns.map((name) => `coalesce(${name}, '')`).join(" || char(10) || ");
  const names = [...columns, "created_at", "updated_at"].map((name) => [name, name]);
  const record = jsonObject({ id: "uuid", ...Object.fromEntries(names) });
  return {
    from: table,
    where: LIVE_WORKSPACE,
    order: ["updated_at", "id"],
    direction: "DESC",
    item: `CASE WHEN instr(lower(${text}), lower(:query)) > 0 THEN ${record} END`,
    bytes: bytesOf(...columns),
  };
}

/** Writes the columns that are not undefined. Undefined if the workspace has no such record. */
export async function patchRecord(
  db: Database,
  kind: RecordKind,
  { workspaceId, uuid, values, now }: Owner & { values: Values; now: string },
): Promise<WorkspaceRecord | undefined> {
  const changed = kind.columns.filter((name) => values[name] !== undefined);
  const sets = [
    ...changed.map((name) => `${name} = :${name}`),
    `updated_at = max(:now, ${justAfter("updated_at")})`,
  ];
  const sql = `UPDATE ${kind.table} SET ${sets.join(", ")}
    WHERE ${LIVE_WORKSPACE} AND uuid = :uuid RETURNING ${shown(kind)}`;
  return first(db, sql, { ...textsOf(changed, values), now, workspaceId, uuid });
}

/** Returns whether the record existed. */
export async function deleteRecord(
  db: Database,
  kind: RecordKind,
  { workspaceId, uuid }: Owner,
): Promise<boolean> {
  const sql = `DELETE FROM ${kind.table} WHERE ${LIVE_WORKSPACE} AND uuid = :uuid RETURNING uuid AS id`;
  return (await first(db, sql, { workspaceId, uuid })) !== undefined;
}

function textsOf(columns: readonly string[], values: Values): Record<string, string | null> {
  return Object.fromEntries(columns.map((name) => [name, values[name] ?? null]));
}

function shown({ columns }: RecordKind): string {
  return ["uuid AS id", ...columns, "created_at", "updated_at"].join(", ");
}

async function first(
  db: Database,
  sql: string,
  args: Record<string, InValue>,
): Promise<WorkspaceRecord | undefined> {
  const { rows, columns } = await db.$client.execute({ sql, args });
  const [row] = rows;
  return row && Object.fromEntries(columns.map((name) => [name, row[name]]));
}
