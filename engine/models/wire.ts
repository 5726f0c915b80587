import { z } from "@hono/zod-openapi";
import type { ModelConfigurationRow } from "../db/schema.ts";
import { field, object } from "../http/fields.ts";
import { HEADER_NAME, optionalText, storedText, toWire, withTextsOf } from "../http/wire.ts";
import {
  MODEL_HEADER_CHARACTERS_MAX,
  MODEL_HEADER_NAME_CHARACTERS_MAX,
  MODEL_HEADERS_MAX,
} from "./limits.ts";

const nonblank = storedText.refine((text) => text.trim() !== "", "must not be blank");
const credential = storedText.nullish().openapi({ writeOnly: true });

/** Engine §2, model objects. Credentials never travel outwards. */
export const ModelConfiguration = object({
  id: field.text("The id, as `model_id` of a turn and `defaultModelId` name it."),
  provider: field.text("The provider, one of `GET /providers`."),
  model: field.text("The name of the model at its provider."),
  alias: field.nullableText("The name to show; null where there is none."),
  baseUrl: field.nullableText(
    "The address of the provider's API; null is the provider's own. `/v1` may be left out, but not with `openai-compatible`.",
  ),
  region: field.nullableText("The AWS region, for `bedrock`; else null."),
  contextWindow: field.nullableInteger("The context window in tokens; null where it is not known."),
  hasApiKey: field.flag("Whether an API key is stored."),
}).openapi("ModelConfiguration", {
  description: "A configured model. Credentials never leave the engine.",
});
export type ModelConfiguration = z.infer<typeof ModelConfiguration>;

export const UpsertModelConfiguration = object({
  ...withTextsOf(ModelConfiguration, {
    provider: nonblank,
    model: nonblank,
    alias: optionalText,
    baseUrl: optionalText,
    region: optionalText,
    contextWindow: z.int().min(1).nullish(),
  }).shape,
  apiKey: credential.describe("The API key; write-only."),
  cloudAccessKeyId: credential.describe("The AWS access key id, for `bedrock`; write-only."),
  cloudSecretAccessKey: credential.describe(
    "The AWS secret access key, for `bedrock`; write-only.",
  ),
  cloudSessionToken: credential.describe("The AWS session token, for `bedrock`; write-only."),
  clearApiKey: z
    .boolean()
    .default(false)
    .describe("Whether an update removes the stored API key; by default false."),
}).openapi("UpsertModelConfiguration", {
  description:
    "The fields of a model configuration. On update, a credential that is left out is kept.",
});
export type UpsertModelConfiguration = z.infer<typeof UpsertModelConfiguration>;

export const ModelParameters = object({
  temperature: z
    .number()
    .min(0)
    .max(2)
    .nullable()
    .describe("The sampling temperature, from 0 to 2; null is the provider's own."),
  topP: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe("The nucleus sampling share, from 0 to 1; null is the provider's own."),
  maxOutputTokens: z
    .int()
    .min(1)
    .nullable()
    .describe("The most tokens of one answer; null is the provider's own."),
}).openapi("ModelParameters", { description: "The parameters of each request to a model." });
export type ModelParameters = z.infer<typeof ModelParameters>;

// Allowed characters of a header's value: visible ASCII, with spaces and tabs inside.
const HEADER_VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;
// They describe the connection or the body, which are the engine's.
const OWN_HEADERS = new Set(
  (
    "accept-encoding connection content-encoding content-length content-type expect host keep-alive te trailer " +
    "transfer-encoding upgrade"
  ).split(" "),
);

const Headers = z.record(z.string(), z.string()).superRefine((headers, context) => {
  const fault = findHeaderFault(headers);
  if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
});

export const ModelHeaders = object({
  headers: Headers.describe(
    "At most 32 headers, by name; values of at most 4,096 characters of visible ASCII. Write-only.",
  ),
}).openapi("ModelHeaders", { description: "Headers of requests to the provider." });
export type ModelHeaders = z.infer<typeof ModelHeaders>["headers"];

export const ModelHeaderNames = object({
  names: field.list(z.string(), "Their names, as they were given."),
}).openapi("ModelHeaderNames", { description: "Which headers are stored." });

export const ContextWindow = object({
  window: field.integer("The context window in tokens."),
  source: field.choice(
    ["stated", "server", "known", "assumed"],
    "`stated` in the configuration, said by its `server`, `known` of its family, or `assumed`.",
  ),
}).openapi("ContextWindow", { description: "The context window that turns of a model use." });
export type ContextWindow = z.infer<typeof ContextWindow>;

export const ModelTest = object({
  ok: field.flag("Whether the model answered."),
  firstTokenMs: field.nullableInteger("Milliseconds until the first token; null where none came."),
  totalMs: field.integer("Milliseconds until the end."),
  error: field.nullableText("Why it failed, as a sentence; null where it did not."),
}).openapi("ModelTest", { description: "The outcome of a test of a configured model." });
export type ModelTest = z.infer<typeof ModelTest>;

/** A field of a model configuration, as one provider takes it. */
const ProviderField = object({
  name: field.choice(
    [
      "apiKey",
      "baseUrl",
      "region",
      "cloudAccessKeyId",
      "cloudSecretAccessKey",
      "cloudSessionToken",
    ],
    "The name of the field.",
  ),
  required: field.flag("Whether the field is needed."),
  unless: field.list(z.string(), "The fields of which one makes this one unnecessary."),
  secret: field.flag("Whether the field is write-only."),
});
export type ProviderField = z.infer<typeof ProviderField>;

export const KnownProvider = object({
  provider: field.text("The name, for `provider` of a model configuration."),
  baseUrl: field.nullableText(
    "The address where the configuration names none; null where there is no such address.",
  ),
  fields: field.list(ProviderField, "The fields of a model configuration that it takes."),
}).openapi("KnownProvider", { description: "A provider that the engine knows by name." });
export type KnownProvider = z.infer<typeof KnownProvider>;

export const DiscoveredServer = object({
  provider: field.text("The name, for `provider` of a model configuration."),
  baseUrl: field.text("The address, for `baseUrl` of a model configuration."),
  models: field.list(
    z.string(),
    "The names of its models, for `model` of a model configuration; at most 500.",
  ),
}).openapi("DiscoveredServer", { description: "A model server on this machine." });
export type DiscoveredServer = z.infer<typeof DiscoveredServer>;

export const OfferedModelsRequest = object({
  provider: z.string().min(1).describe("The provider, one of `GET /providers`."),
  baseUrl: z
    .string()
    .nullish()
    .describe("The address of the provider's API; null is the provider's own."),
  apiKey: z.string().nullish().describe("The API key; it goes to that address alone."),
}).openapi("OfferedModelsRequest", { description: "A provider, and the key for it." });
export type OfferedModelsRequest = z.infer<typeof OfferedModelsRequest>;

export const OfferedModel = object({
  id: field.text("Its name, for `model` of a model configuration."),
  contextWindow: field.nullableInteger(
    "Its context window in tokens, as listed or known; null where neither says it.",
  ),
}).openapi("OfferedModel", { description: "A model that a provider lists." });
export type OfferedModel = z.infer<typeof OfferedModel>;

/** A model that a user may choose for a turn (Engine §4, `GET /models`). */
export const Model = object({
  id: field.text("The id to send as `model_id`."),
  name: field.text("The name to show."),
  provider: field.text("The provider."),
  description: field.nullableText("What it is; null where there is none."),
}).openapi("Model", { description: "A model to choose for a turn." });
export type Model = z.infer<typeof Model>;

export const IdParam = object({ id: field.text("The id of the model configuration.") });

export function toModelParameters(row: ModelConfigurationRow): ModelParameters {
  const { temperature, topP, maxOutputTokens } = row;
  return { temperature, topP, maxOutputTokens };
}

export function toModelConfiguration(row: ModelConfigurationRow): ModelConfiguration {
  return toWire(ModelConfiguration, { ...row, hasApiKey: row.sealedApiKey !== null });
}

/** Never quotes a value; a name is quoted only if it is a token. */
function findHeaderFault(headers: ModelHeaders): string | undefined {
  const names = Object.keys(headers);
  if (names.length > MODEL_HEADERS_MAX) return `must have at most ${MODEL_HEADERS_MAX} headers`;
  const seen = new Set<string>();
  for (const name of names) {
    if (!HEADER_NAME.test(name) || name.length > MODEL_HEADER_NAME_CHARACTERS_MAX) {
      return "must have valid HTTP header names as keys";
    }
    const lower = name.toLowerCase();
    if (OWN_HEADERS.has(lower) || lower.startsWith("proxy-"))
      return `must not have ${name}, which the engine sets`;
    if (seen.has(lower)) return `must not name ${name} twice`;
    seen.add(lower);
    const value = headers[name] ?? "";
    if (value.length > MODEL_HEADER_CHARACTERS_MAX) {
      return `must have values of at most ${MODEL_HEADER_CHARACTERS_MAX} characters: ${name}`;
    }
    if (!HEADER_VALUE.test(value))
      return `must have values of visible ASCII without spaces around: ${name}`;
  }
  return undefined;
}
