import { isNotNull, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import { type Database, preparedOnce } from "../../shared/database.ts";
import { modelConfigurations as models, toolConfigurations as tools } from "../db/schema.ts";

/** An envelope, and where it belongs. */
export interface SealedSample {
  envelope: string;
  recordId: string;
  field: string;
}

// `v1.<key id>.`: envelopes that begin alike were sealed with the same key.
const KEY_PREFIX_CHARACTERS = 12;

const samplesQuery = preparedOnce((db) => {
  const sealed = unionAll(
    db
      .select({
        envelope: sql<string>`${models.sealedApiKey}`.as("envelope"),
        recordId: sql<string>`${models.id}`.as("record_id"),
        field: sql<string>`'apiKey'`.as("field"),
      })
      .from(models)
      .where(isNotNull(models.sealedApiKey)),
    db
      .select({
        envelope: sql<string>`${models.sealedCloudSecretAccessKey}`.as("envelope"),
        recordId: sql<string>`${models.id}`.as("record_id"),
        field: sql<string>`'cloudSecretAccessKey'`.as("field"),
      })
      .from(models)
      .where(isNotNull(models.sealedCloudSecretAccessKey)),
    db
      .select({
        envelope: sql<string>`${tools.sealedAuthConfig}`.as("envelope"),
        recordId: sql<string>`${tools.uuid}`.as("record_id"),
        field: sql<string>`'authConfig'`.as("field"),
      })
      .from(tools)
      .where(isNotNull(tools.sealedAuthConfig)),
  ).as("sealed");
  return db
    .select()
    .from(sealed)
    .groupBy(sql`substr(${sealed.envelope}, 1, ${sql.raw(String(KEY_PREFIX_CHARACTERS))})`)
    .prepare();
});

/** One stored envelope for each key that something was sealed with. */
export function listSealedSamples(db: Database): Promise<SealedSample[]> {
  return samplesQuery(db).all();
}
