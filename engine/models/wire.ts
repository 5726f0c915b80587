import { z } from "@hono/zod-openapi";
import type { ModelConfigurationRow } from "../db/schema.ts";
import { storedText } from "../http/wire.ts";

const nonblank = storedText.refine((text) => text.trim() !== "", "must not be blank");
const optionalText = storedText.nullish();
const credential = storedText.nullish().openapi({ writeOnly: true });

/** Engine §2, model objects. Credentials never travel outwards. */
export const ModelConfiguration = z
  .object({
    id: z.string(),
    provider: z.string(),
    model: z.string(),
    alias: z.string().nullable(),
    baseUrl: z.string().nullable(),
    region: z.string().nullable(),
    contextWindow: z.int().nullable(),
    hasApiKey: z.boolean(),
  })
  .openapi("ModelConfiguration");
export type ModelConfiguration = z.infer<typeof ModelConfiguration>;

/** For create and update alike; `configuration.ts` has the meaning of an omitted field on update. */
export const UpsertModelConfiguration = z
  .object({
    provider: nonblank,
    model: nonblank,
    alias: optionalText,
    baseUrl: optionalText,
    region: optionalText,
    contextWindow: z.int().min(1).nullish(),
    apiKey: credential,
    cloudAccessKeyId: credential,
    cloudSecretAccessKey: credential,
    cloudSessionToken: credential,
    clearApiKey: z.boolean().default(false),
  })
  .openapi("UpsertModelConfiguration");
export type UpsertModelConfiguration = z.infer<typeof UpsertModelConfiguration>;

/** The result of a test. Times are from its start; the first token is null where none arrived. */
export const ModelTest = z
  .object({
    ok: z.boolean(),
    firstTokenMs: z.int().nullable(),
    totalMs: z.int(),
    error: z.string().nullable(),
  })
  .openapi("ModelTest");
export type ModelTest = z.infer<typeof ModelTest>;

/** A field of a model configuration, as one provider takes it. */
const ProviderField = z.object({
  name: z.enum([
    "apiKey",
    "baseUrl",
    "region",
    "cloudAccessKeyId",
    "cloudSecretAccessKey",
    "cloudSessionToken",
  ]),
  required: z.boolean(),
  unless: z.array(z.string()),
  secret: z.boolean(),
});
export type ProviderField = z.infer<typeof ProviderField>;

/** A provider that the engine knows by name; additive. */
export const KnownProvider = z
  .object({ provider: z.string(), baseUrl: z.string().nullable(), fields: z.array(ProviderField) })
  .openapi("KnownProvider");
export type KnownProvider = z.infer<typeof KnownProvider>;

/** A model server on this machine; additive. */
export const DiscoveredServer = z
  .object({ provider: z.string(), baseUrl: z.string(), models: z.array(z.string()) })
  .openapi("DiscoveredServer");
export type DiscoveredServer = z.infer<typeof DiscoveredServer>;

/** A model that a user may choose for a turn (Engine §4, `GET /models`). */
export const Model = z
  .object({
    id: z.string(),
    name: z.string(),
    provider: z.string(),
    description: z.string().nullable(),
  })
  .openapi("Model");
export type Model = z.infer<typeof Model>;

export const IdParam = z.object({ id: z.string() });

export function toModelConfiguration(row: ModelConfigurationRow): ModelConfiguration {
  return {
    id: row.id,
    provider: row.provider,
    model: row.model,
    alias: row.alias,
    baseUrl: row.baseUrl,
    region: row.region,
    contextWindow: row.contextWindow,
    hasApiKey: row.sealedApiKey !== null,
  };
}
