import { Batch } from "../../shared/batch.ts";
import { toIsoTime } from "../../shared/clock.ts";
import type { ListQuery } from "../db/list.ts";
import { bytesOf, jsonOf, type ListShape } from "../db/list-shape.ts";
import type { EngineDeps } from "../deps.ts";
import { orNotFound } from "../errors.ts";
import { findThreadAndWorkspace } from "../threads/store.ts";
import { covers, fingerprintOf, type Grant, type GrantableCall } from "./grant.ts";
import { GRANT_MS, GRANTS_MAX } from "./limits.ts";
import { ApprovalGrant, type GrantsQuery, type Remember } from "./wire.ts";

type GrantDeps = Pick<EngineDeps, "db" | "clock" | "changes">;

// A deleted thread is in a deleted workspace; a grant keeps the workspace in which it was made.
const LIVE = `approval_grants g
  LEFT JOIN threads t ON t.id = g.thread_id
  JOIN workspaces w ON w.id = coalesce(t.workspace_id, g.workspace_id) AND w.deleted_at IS NULL
  LEFT JOIN tool_configurations c ON c.id = g.tool_id`;

// Beside grants of other threads, those of the workspace do not hold where the thread has a policy of its own.
const OF_CALL = `SELECT g.uuid, g.path_prefix, g.fingerprint, g.thread_id FROM ${LIVE}
  WHERE g.tool_name = :toolName AND c.uuid IS :server AND (g.expires_at IS NULL OR g.expires_at > :now)
    AND (g.thread_id = :threadId OR (g.thread_id IS NULL AND g.workspace_id = :workspaceId AND :ownConfig IS NULL AND NOT :threadAlone))
  ORDER BY g.id`;

const USE = "UPDATE approval_grants SET last_used_at = :now WHERE uuid = :uuid RETURNING uuid";

/** A call that is about to run, in its thread. */
interface CoveredCall extends GrantableCall {
  threadUuid: string;
}

/** Where a call looks for a grant. */
interface GrantedCall extends CoveredCall {
  /** Whether grants of the workspace do not hold. */
  threadAlone: boolean;
}

/**
 * Uses the grant that covers a call: it is current, and stored as used. A grant whose fingerprint differs is deleted.
 * @returns undefined if no grant covers the call
 */
export async function useGrant(deps: GrantDeps, call: GrantedCall): Promise<Grant | undefined> {
  const { db, clock } = deps;
  const place = await findPlace(deps, call.threadUuid);
  if (!place) return undefined;
  const now = toIsoTime(clock.now());
  const { toolName, threadAlone } = call;
  const { threadId, workspaceId, ownConfig } = place;
  const server = call.server?.uuid ?? null;
  const args = { toolName, server, now, threadId, workspaceId, ownConfig, threadAlone };
  const { rows } = await db.$client.execute({ sql: OF_CALL, args });
  for (const { uuid, path_prefix, fingerprint, thread_id } of rows) {
    const grant = { uuid: String(uuid), folder: path_prefix === null ? null : String(path_prefix) };
    const scope = thread_id === null ? "workspace" : "thread";
    if (fingerprint !== (await fingerprintOf(place.under[scope], call))) {
      await deleteGrant(deps, grant.uuid);
    } else if (covers(grant, call)) {
      // It may have been deleted since.
      const used = await db.$client.execute({ sql: USE, args: { now, uuid: grant.uuid } });
      if (used.rows.length > 0) return grant;
    }
  }
  return undefined;
}

const REPLACED = `DELETE FROM approval_grants WHERE expires_at <= :now
  OR (tool_name = :toolName AND match = :match AND path_prefix IS :pathPrefix AND workspace_id = :workspaceId
    AND thread_id IS :threadId AND tool_id IS (SELECT id FROM tool_configurations WHERE uuid = :server))`;

// No row if the tool is not configured any more.
const INSERT = `INSERT INTO approval_grants
    (uuid, workspace_id, thread_id, tool_id, tool_name, match, path_prefix, fingerprint, created_at, expires_at)
  SELECT :uuid, :workspaceId, :threadId, (SELECT id FROM tool_configurations WHERE uuid = :server), :toolName, :match,
    :pathPrefix, :fingerprint, :now, :expiresAt
  WHERE :server IS NULL OR EXISTS (SELECT 1 FROM tool_configurations WHERE uuid = :server)`;

const SURPLUS = `DELETE FROM approval_grants WHERE id <= (SELECT id FROM approval_grants ORDER BY id DESC LIMIT 1 OFFSET ${GRANTS_MAX})`;

/**
 * Stores a grant for a call that it may cover, in the place of an equal one. Returns its uuid.
 * @throws EngineError `not_found` if the thread is deleted
 */
export async function insertGrant(
  deps: GrantDeps,
  call: CoveredCall,
  { scope, match }: Remember,
): Promise<string> {
  const { db, clock, changes } = deps;
  const place = orNotFound(await findPlace(deps, call.threadUuid), "Thread");
  const nowMs = clock.now();
  const uuid = crypto.randomUUID();
  const isThreads = scope === "thread";
  const args = {
    uuid,
    workspaceId: place.workspaceId,
    threadId: isThreads ? place.threadId : null,
    server: call.server?.uuid ?? null,
    toolName: call.toolName,
    match,
    pathPrefix: match === "path" ? call.reach.folder : null,
    fingerprint: await fingerprintOf(place.under[scope], call),
    now: toIsoTime(nowMs),
    expiresAt: isThreads ? null : toIsoTime(nowMs + GRANT_MS),
  };
  const batch = new Batch();
  for (const sql of [REPLACED, INSERT]) batch.add({ sql, args });
  batch.add(SURPLUS);
  await batch.run(db);
  changes.publish({ type: "grant.created", data: { grantUuid: uuid } });
  return uuid;
}

/** Returns whether it existed. */
export async function deleteGrant({ db, changes }: GrantDeps, uuid: string): Promise<boolean> {
  const sql = "DELETE FROM approval_grants WHERE uuid = :uuid RETURNING uuid";
  const { rows } = await db.$client.execute({ sql, args: { uuid } });
  if (rows.length > 0) changes.publish({ type: "grant.deleted", data: { grantUuid: uuid } });
  return rows.length > 0;
}

const LIST: ListShape = {
  from: LIVE,
  where: `(g.expires_at IS NULL OR g.expires_at > :now) AND (:workspaceUuid IS NULL OR w.uuid = :workspaceUuid)
    AND (:threadUuid IS NULL OR t.uuid = :threadUuid)`,
  order: ["g.id"],
  direction: "DESC",
  item: jsonOf(
    ApprovalGrant,
    {
      scope: "iif(t.id IS NULL, 'workspace', 'thread')",
      workspaceUuid: "w.uuid",
      threadUuid: "t.uuid",
      server: "c.uuid",
    },
    "g.",
  ),
  bytes: bytesOf("g.path_prefix"),
};

/** `ApprovalGrant[]`: those that hold now, the newest first. */
export function grantsOf(
  { workspaceUuid = null, threadUuid = null }: { [Key in keyof GrantsQuery]: string | null },
  nowMs: number,
): ListQuery {
  return { shape: LIST, args: { workspaceUuid, threadUuid, now: toIsoTime(nowMs) } };
}

/** The present policies of a thread: those that a grant of each scope depends on. */
async function findPlace({ db }: Pick<GrantDeps, "db">, threadUuid: string) {
  const { thread, workspace } = (await findThreadAndWorkspace(db, threadUuid)) ?? {};
  if (!thread || !workspace) return undefined;
  const ownConfig = thread.approvalConfig;
  const approvalConfig = ownConfig ?? workspace.approvalConfig;
  const under = { workspace, thread: { ...workspace, approvalConfig } };
  return { workspaceId: workspace.id, threadId: thread.id, ownConfig, under };
}
