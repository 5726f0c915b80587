import { asc, isNull } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { modelConfigurations as models, workspaces } from "../db/schema.ts";

/** A configured model, as far as its check needs it. */
export type CheckedModel = Awaited<ReturnType<typeof listCheckedModels>>[number];

/** The model configurations, by their ids. */
export function listCheckedModels(db: Database, limit: number) {
  const { id, provider, model, baseUrl, sealedApiKey } = models;
  return db
    .select({ id, provider, model, baseUrl, sealedApiKey })
    .from(models)
    .orderBy(asc(models.id))
    .limit(limit);
}

/** The workspaces that are not deleted, with what says which roots they have. */
export function listCheckedWorkspaces(db: Database, limit: number) {
  const { name, directories, ragConfig } = workspaces;
  return db
    .select({ name, directories, ragConfig })
    .from(workspaces)
    .where(isNull(workspaces.deletedAt))
    .orderBy(asc(name))
    .limit(limit);
}
