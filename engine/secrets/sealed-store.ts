import { type Column, isNotNull, sql } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { modelConfigurations as models, toolConfigurations as tools } from "../db/schema.ts";

interface SealedSample {
  envelope: string;
  recordId: string;
  field: string;
}

// `v1.<key id>.`: envelopes with the same prefix were sealed with the same key.
const KEY_PREFIX_CHARACTERS = 12;

const MODEL_FIELDS = {
  apiKey: models.sealedApiKey,
  cloudAccessKeyId: models.sealedCloudAccessKeyId,
  cloudSecretAccessKey: models.sealedCloudSecretAccessKey,
  cloudSessionToken: models.sealedCloudSessionToken,
  headers: models.sealedHeaders,
};

/** One stored envelope of each key in use. */
export function listSealedSamples(db: Database): Promise<SealedSample[]> {
  const ofTools = db
    .select(sample(tools.sealedAuthConfig, tools.uuid, "authConfig"))
    .from(tools)
    .where(isNotNull(tools.sealedAuthConfig))
    .$dynamic();
  const ofModels = Object.entries(MODEL_FIELDS).map(([field, column]) =>
    db
      .select(sample(column, models.id, field))
      .from(models)
      .where(isNotNull(column)),
  );
  const sealed = ofModels.reduce((all, one) => all.unionAll(one), ofTools).as("sealed");
  return db
    .select()
    .from(sealed)
    .groupBy(sql`substr(${sealed.envelope}, 1, ${sql.raw(String(KEY_PREFIX_CHARACTERS))})`);
}

function sample(envelope: Column, recordId: Column, field: string) {
  return {
    envelope: sql<string>`${envelope}`.as("envelope"),
    recordId: sql<string>`${recordId}`.as("record_id"),
    field: sql<string>`${sql.raw(`'${field}'`)}`.as("field"),
  };
}
