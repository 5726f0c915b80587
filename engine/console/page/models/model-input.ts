import type {
  KnownProvider,
  ModelConfiguration,
  UpsertModelConfiguration,
} from "../../../client/client.ts";

/** The form of a model, as it is typed. */
type ModelFields = Readonly<Record<ModelField, string>>;

/** The fields of the form, in its order. */
export const MODEL_FIELDS = [
  "provider",
  "model",
  "alias",
  "baseUrl",
  "region",
  "contextWindow",
  "apiKey",
  "cloudAccessKeyId",
  "cloudSecretAccessKey",
  "cloudSessionToken",
] as const;

/** The name of a field of the form. */
export type ModelField = (typeof MODEL_FIELDS)[number];

const SECRETS: readonly ModelField[] = MODEL_FIELDS.slice(6);

/** The form of a stored model; secrets are empty, as the engine never tells them. */
export function toFields(model: ModelConfiguration | undefined, provider: string): ModelFields {
  return {
    provider: model?.provider ?? provider,
    model: model?.model ?? "",
    alias: model?.alias ?? "",
    baseUrl: model?.baseUrl ?? "",
    region: model?.region ?? "",
    contextWindow: String(model?.contextWindow ?? ""),
    apiKey: "",
    cloudAccessKeyId: "",
    cloudSecretAccessKey: "",
    cloudSessionToken: "",
  };
}

/** What the form sends. An empty secret is left out, so that an update keeps the stored one. */
export function toModelInput(fields: ModelFields, clearApiKey: boolean): UpsertModelConfiguration {
  const { contextWindow, ...texts } = fields;
  const filled = Object.entries(texts)
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([name, text]) => text !== "" || !SECRETS.some((secret) => secret === name))
    .map(([name, text]) => [name, text === "" ? null : text]);
  return {
    ...Object.fromEntries(filled),
    provider: fields.provider,
    model: fields.model.trim(),
    contextWindow: contextWindow.trim() === "" ? null : Number(contextWindow),
    ...(clearApiKey ? { clearApiKey } : {}),
  };
}

/** Whether a provider takes a field; an unknown provider is shown all that are stored. */
export function takes(provider: KnownProvider | undefined, field: ModelField): boolean {
  if (field === "provider" || field === "model" || field === "alias") return true;
  if (field === "contextWindow") return true;
  return provider === undefined || provider.fields.some(({ name }) => name === field);
}

/** What is still missing: the fields without which the provider does not answer. A stored key counts. */
export function missingFields(
  provider: KnownProvider | undefined,
  fields: ModelFields,
  hasApiKey: boolean,
): string[] {
  const isFilled = (name: string) =>
    (name === "apiKey" && hasApiKey) || (fields[name as ModelField] ?? "").trim() !== "";
  const needed = provider?.fields.filter(
    ({ name, required, unless }) => required && !isFilled(name) && !unless.some(isFilled),
  );
  return [...(isFilled("model") ? [] : ["model"]), ...(needed ?? []).map(({ name }) => name)];
}
