import type { InArgs } from "@libsql/client";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import type { ListQuery } from "../db/list.ts";
import { bytesOf, jsonOf, type ListShape } from "../db/list-shape.ts";
import { networks, type WorkspaceRow, workspaces } from "../db/schema.ts";
import { justAfter } from "../db/time.ts";
import { orNotFound } from "../errors.ts";
import { type CreateWorkspace, Workspace, type WorkspaceInstructions } from "./wire.ts";

const isLive = (uuid: string) => and(eq(workspaces.uuid, uuid), isNull(workspaces.deletedAt));

export function findWorkspace(db: Database, uuid: string): Promise<WorkspaceRow | undefined> {
  return db.select().from(workspaces).where(isLive(uuid)).get();
}

/** @throws EngineError `not_found` */
export async function getWorkspace(db: Database, uuid: string): Promise<WorkspaceRow> {
  const workspace = orNotFound(await findWorkspace(db, uuid), "Workspace");
  return workspace;
}

/** The workspaces whose `ragConfig` may want a root to be watched: it has the word. */
export function listWatching(
  db: Database,
): Promise<Pick<WorkspaceRow, "uuid" | "directories" | "ragConfig">[]> {
  const { uuid, directories, ragConfig } = workspaces;
  return db
    .select({ uuid, directories, ragConfig })
    .from(workspaces)
    .where(and(isNull(workspaces.deletedAt), sql`instr(${ragConfig}, '"watch"') > 0`));
}

const ALL: ListShape = {
  from: "workspaces",
  where: "deleted_at IS NULL",
  order: ["name", "id"],
  direction: "ASC",
  item: jsonOf(Workspace),
  bytes: bytesOf(
    "name",
    "description",
    "tools_config",
    "directories",
    "approval_config",
    "rag_config",
  ),
};

/** `Workspace[]`, ordered by name. */
export const allWorkspaces: ListQuery = { shape: ALL, args: {} };

/** Uses any existing network, else creates one named `default` (Engine §2, hierarchy). */
export async function insertWorkspace(
  db: Database,
  input: CreateWorkspace & { uuid: string; networkUuid: string; now: string },
): Promise<WorkspaceRow | undefined> {
  const { uuid, networkUuid, now, ...fields } = input;
  const times = { createdAt: now, updatedAt: now };
  const networkId = sql<number>`(SELECT ${networks.id} FROM ${networks} LIMIT 1)`;
  const statements = [
    db.insert(networks).select(
      sql`SELECT NULL, ${networkUuid}, 'default', NULL, ${now}
          WHERE NOT EXISTS (SELECT 1 FROM ${networks})`,
    ),
    db.insert(workspaces).values({ ...fields, uuid, networkId, ...times }),
  ].map((query) => query.toSQL());
  await db.$client.batch(
    statements.map(({ sql, params }) => ({ sql, args: params as InArgs })),
    "write",
  );
  return findWorkspace(db, uuid);
}

/** Full replacement: every omitted optional field becomes null (Engine §2, workspace semantics 2). */
export async function replaceWorkspace(
  db: Database,
  uuid: string,
  input: CreateWorkspace & { now: string },
): Promise<WorkspaceRow | undefined> {
  return db
    .update(workspaces)
    .set({
      name: input.name,
      description: input.description ?? null,
      defaultModelId: input.defaultModelId ?? null,
      toolsConfig: input.toolsConfig ?? null,
      directories: input.directories ?? null,
      approvalConfig: input.approvalConfig ?? null,
      ragConfig: input.ragConfig ?? null,
      updatedAt: sql`max(${input.now}, ${sql.raw(justAfter("updated_at"))})`,
    })
    .where(isLive(uuid))
    .returning()
    .get();
}

/** Hides the workspace and its rows, which are removed later (`engine/db/deleted-rows.ts`). Returns whether it existed. */
export async function deleteWorkspace(db: Database, uuid: string, now: string): Promise<boolean> {
  const done = await db.update(workspaces).set({ deletedAt: now }).where(isLive(uuid));
  return done.rowsAffected > 0;
}

/** Returns whether the workspace existed. */
export async function replaceWorkspacePolicy(
  db: Database,
  uuid: string,
  policy: Pick<WorkspaceRow, "skillsConfig">,
): Promise<boolean> {
  return (await db.update(workspaces).set(policy).where(isLive(uuid))).rowsAffected > 0;
}

/** Returns whether the workspace existed. */
export async function replaceInstructions(
  db: Database,
  uuid: string,
  { text, useAgentsFile }: WorkspaceInstructions,
): Promise<boolean> {
  const changes = { instructions: text, useAgentsFile };
  return (await db.update(workspaces).set(changes).where(isLive(uuid))).rowsAffected > 0;
}
