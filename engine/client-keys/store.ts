import { asc, eq, isNull, sql } from "drizzle-orm";
import { sha256, toHex } from "../../shared/bytes.ts";
import type { Database } from "../../shared/database.ts";
import { type ClientKeyRow, clientKeys, type WorkspaceRow, workspaces } from "../db/schema.ts";
import { CLIENT_KEYS_MAX } from "./limits.ts";
import type { ClientKey } from "./wire.ts";

/**
 * What the database keeps of a key, and finds it by. How long it takes to find a hash tells nothing about a key: no client can
 * choose the hash of what it sends, but by trying.
 */
export async function hashKey(key: string): Promise<string> {
  return toHex(await sha256(key));
}

/** Stores a key if there is room for one more; returns whether it did. */
export async function insertClientKey(
  db: Database,
  key: Omit<ClientKeyRow, "id" | "lastUsedAt">,
): Promise<boolean> {
  const { uuid, name, keyHash, scopes, workspaceUuids, createdAt, expiresAt } = key;
  const stored = await db.all(
    sql`INSERT INTO ${clientKeys} (uuid, name, key_hash, scopes, workspace_uuids, created_at, expires_at)
        SELECT ${uuid}, ${name}, ${keyHash}, ${scopes}, ${workspaceUuids}, ${createdAt}, ${expiresAt}
        WHERE (SELECT count(*) FROM ${clientKeys}) < ${CLIENT_KEYS_MAX} RETURNING uuid`,
  );
  return stored.length > 0;
}

/** All keys, in order of creation. */
export async function listClientKeys(db: Database): Promise<ClientKey[]> {
  const rows = await db.select().from(clientKeys).orderBy(asc(clientKeys.id));
  return rows.map(toClientKey);
}

export async function countClientKeys(db: Database): Promise<number> {
  return await db.$count(clientKeys);
}

export async function findClientKeyByHash(
  db: Database,
  keyHash: string,
): Promise<ClientKey | undefined> {
  const [row] = await db.select().from(clientKeys).where(eq(clientKeys.keyHash, keyHash)).limit(1);
  return row && toClientKey(row);
}

export async function updateClientKeyUse(db: Database, uuid: string, now: string): Promise<void> {
  await db.update(clientKeys).set({ lastUsedAt: now }).where(eq(clientKeys.uuid, uuid));
}

/** Returns whether the key existed. */
export async function deleteClientKey(db: Database, uuid: string): Promise<boolean> {
  const done = await db.delete(clientKeys).where(eq(clientKeys.uuid, uuid));
  return done.rowsAffected > 0;
}

/** A workspace as a client names it. */
export type ReachableWorkspace = Pick<
  WorkspaceRow,
  "uuid" | "name" | "defaultModelId" | "createdAt"
>;

/** The workspaces that a key reaches, the oldest first. */
export async function listReachableWorkspaces(
  db: Database,
  { workspaceUuids }: Pick<ClientKey, "workspaceUuids">,
): Promise<ReachableWorkspace[]> {
  const { id, uuid, name, defaultModelId, createdAt } = workspaces;
  const all = await db
    .select({ uuid, name, defaultModelId, createdAt })
    .from(workspaces)
    .where(isNull(workspaces.deletedAt))
    .orderBy(asc(id));
  return workspaceUuids === null ? all : all.filter((each) => workspaceUuids.includes(each.uuid));
}

function toClientKey(row: ClientKeyRow): ClientKey {
  const { id: _id, keyHash: _keyHash, scopes, workspaceUuids, ...key } = row;
  // The engine wrote both.
  return {
    ...key,
    scopes: JSON.parse(scopes),
    workspaceUuids: JSON.parse(workspaceUuids ?? "null"),
  };
}
