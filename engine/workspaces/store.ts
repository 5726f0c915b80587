import { asc, eq, sql } from "drizzle-orm";
import { type Database, preparedOnce, writeBatch } from "../../shared/database.ts";
import { networks, type WorkspaceRow, workspaces } from "../db/schema.ts";
import { justAfter } from "../db/time.ts";
import type { CreateWorkspace } from "./wire.ts";

const findQuery = preparedOnce((db) =>
  db
    .select()
    .from(workspaces)
    .where(eq(workspaces.uuid, sql.placeholder("uuid")))
    .prepare(),
);

export function findWorkspace(db: Database, uuid: string): Promise<WorkspaceRow | undefined> {
  return findQuery(db).get({ uuid });
}

export function listWorkspaces(db: Database): Promise<WorkspaceRow[]> {
  return db.select().from(workspaces).orderBy(asc(workspaces.name), asc(workspaces.id));
}

/** In any network that is there, else in a new one named `default` (Engine §2, hierarchy). */
export async function insertWorkspace(
  db: Database,
  input: CreateWorkspace & { uuid: string; networkUuid: string; now: string },
): Promise<WorkspaceRow | undefined> {
  const { uuid, networkUuid, now, ...fields } = input;
  const times = { createdAt: now, updatedAt: now };
  const networkId = sql<number>`(SELECT ${networks.id} FROM ${networks} LIMIT 1)`;
  await writeBatch(db, [
    db.insert(networks).select(
      sql`SELECT NULL, ${networkUuid}, 'default', NULL, ${now}
          WHERE NOT EXISTS (SELECT 1 FROM ${networks})`,
    ),
    db.insert(workspaces).values({ ...fields, uuid, networkId, ...times }),
  ]);
  return findWorkspace(db, uuid);
}

/** Full replacement: every omitted optional field becomes null (Engine §2, workspace semantics 2). */
export async function replaceWorkspace(
  db: Database,
  uuid: string,
  input: CreateWorkspace & { now: string },
): Promise<WorkspaceRow | undefined> {
  const [row] = await db
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
    .where(eq(workspaces.uuid, uuid))
    .returning();
  return row;
}

/** Threads, messages and records go with it, by cascade. Whether it was there. */
export async function deleteWorkspace(db: Database, uuid: string): Promise<boolean> {
  const query = db.delete(workspaces).where(eq(workspaces.uuid, uuid));
  return (await query.returning({ id: workspaces.id })).length > 0;
}

/** Whether it was there. */
export async function replaceWorkspacePolicy(
  db: Database,
  uuid: string,
  skillsConfig: string | null,
): Promise<boolean> {
  const query = db.update(workspaces).set({ skillsConfig }).where(eq(workspaces.uuid, uuid));
  return (await query.returning({ id: workspaces.id })).length > 0;
}
