import { setImmediate } from "node:timers/promises";
import type { ResultSet } from "@libsql/client";
import type { Database } from "../../shared/database.ts";
import type { Logger } from "../../shared/log.ts";
import { DELETE_SLICE_BYTES, DELETE_SLICE_ROWS, DELETE_SLICE_THREADS } from "../limits.ts";
import { BackgroundWork } from "./background-work.ts";
import { rowsWithin } from "./slices.ts";

/** Tables whose rows are deleted with their thread, and their long columns. @internal for tests */
export const OF_THREADS = {
  messages: "content",
  turns: "partial_text",
  forks: "origin_uuid",
  thread_summaries: "text",
  approval_grants: "path_prefix",
  client_threads: "label",
} as const;
/** Tables whose reference to the thread becomes null. @internal for tests */
export const REFERRING_TO_THREADS = ["todos", "memories"] as const;
/** Tables whose rows are deleted with their workspace, besides its threads. @internal for tests */
export const OF_WORKSPACES = ["todos", "memories", "notes", "contacts", "approval_grants"] as const;

interface DeletedRowsParts {
  db: Database;
  log: Logger;
  removeFiles?: () => Promise<void>;
}

/**
 * Removes the rows of deleted workspaces in slices of one small commit each, so that requests are served in between. The
 * next start continues what is left when the process ends. A deleted thread is in a deleted workspace.
 */
export class DeletedRows extends BackgroundWork {
  protected override readonly failed = "Deleted rows could not be removed.";
  /** The uuids of workspaces whose rows are being made. */
  readonly #held = new Set<string>();
  readonly #removeFiles: () => Promise<void>;

  /** `removeFiles` removes the files that only the removed rows had. */
  constructor({ db, log, removeFiles = async () => {} }: DeletedRowsParts) {
    super({ db, log });
    this.#removeFiles = removeFiles;
  }

  /** Keeps the rows of a deleted workspace, which may not exist yet, until it is disposed: then the removal begins. */
  hold(workspaceUuid: string): Disposable {
    this.#held.add(workspaceUuid);
    return {
      [Symbol.dispose]: () => {
        this.#held.delete(workspaceUuid);
        this.wake();
      },
    };
  }

  protected override async work(): Promise<void> {
    while (!this.isOver) {
      const held = JSON.stringify([...this.#held]);
      const [workspace] = await this.#read(FIRST_WORKSPACE, { held });
      if (!workspace) return this.#removeFiles();
      await this.#removeSlice(Number(workspace.id));
      await setImmediate();
    }
  }

  /** Of the first kind of row that is left. */
  async #removeSlice(workspace: number): Promise<void> {
    for (const { find, remove } of STEPS) {
      const rows = await this.#read(find, { workspace });
      if (rows.length === 0) continue;
      const ids = rowsWithin(rows, DELETE_SLICE_BYTES).map(({ id }) => id);
      const sql = `${remove} WHERE id IN (SELECT value FROM json_each(:ids))`;
      await this.db.$client.execute({ sql, args: { ids: JSON.stringify(ids) } });
      return;
    }
  }

  async #read(sql: string, args: Record<string, number | string>): Promise<ResultSet["rows"]> {
    return (await this.db.$client.execute({ sql, args })).rows;
  }
}

const FIRST_WORKSPACE = `SELECT id FROM workspaces
  WHERE deleted_at IS NOT NULL AND uuid NOT IN (SELECT value FROM json_each(:held)) LIMIT 1`;

// In the order of the index, so that no slice sorts all threads of the workspace.
const FIRST_THREADS = `SELECT id FROM threads WHERE workspace_id = :workspace ORDER BY updated_at, id LIMIT ${DELETE_SLICE_THREADS}`;

/** Rows that refer to one of the first threads. CROSS: the threads are the outer loop. */
function childrenOf(table: string, bytes: string): string {
  return `SELECT child.id, ${bytes} AS bytes FROM (${FIRST_THREADS}) AS thread
    CROSS JOIN ${table} AS child WHERE child.thread_id = thread.id LIMIT ${DELETE_SLICE_ROWS}`;
}

/** The rows of a deleted workspace, kind by kind; the workspace itself is last. */
const STEPS: readonly { find: string; remove: string }[] = [
  ...Object.entries(OF_THREADS).map(([table, text]) => ({
    find: childrenOf(table, `octet_length(child.${text})`),
    remove: `DELETE FROM ${table}`,
  })),
  ...REFERRING_TO_THREADS.map((table) => ({
    find: childrenOf(table, "0"),
    remove: `UPDATE ${table} SET thread_id = NULL`,
  })),
  { find: FIRST_THREADS, remove: "DELETE FROM threads" },
  ...OF_WORKSPACES.map((table) => ({
    find: `SELECT id FROM ${table} WHERE workspace_id = :workspace LIMIT ${DELETE_SLICE_ROWS}`,
    remove: `DELETE FROM ${table}`,
  })),
  { find: "SELECT id FROM workspaces WHERE id = :workspace", remove: "DELETE FROM workspaces" },
];
