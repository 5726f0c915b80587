import type {
  KnownProvider,
  ModelConfiguration,
  ModelParameters,
  UpsertModelConfiguration,
} from "../../../client/client.ts";

/** The fields of the form, in its order, and what it calls them. */
export const LABELS = {
  provider: "Provider",
  model: "Model",
  alias: "Display name",
  apiKey: "API key",
  baseUrl: "Address",
  region: "AWS region",
  contextWindow: "Context window, in tokens",
  cloudAccessKeyId: "AWS access key id",
  cloudSecretAccessKey: "AWS secret access key",
  cloudSessionToken: "AWS session token",
  temperature: "Temperature, 0 to 2",
  maxOutputTokens: "Maximum answer length, in tokens",
};

/** The name of a field of the form. */
export type ModelField = keyof typeof LABELS;

/** What is seldom set. */
export const DETAILS: readonly ModelField[] = [
  "alias",
  "contextWindow",
  "temperature",
  "maxOutputTokens",
];
const OF_ALL: readonly ModelField[] = ["provider", "model", ...DETAILS];

/** The fields that a provider takes beside those of all; an unknown one is shown all that are stored. */
export function fieldsOf(provider: KnownProvider | undefined): ModelField[] {
  const names = (Object.keys(LABELS) as ModelField[]).filter((name) => !OF_ALL.includes(name));
  return names.filter((name) => !provider || provider.fields.some((it) => it.name === name));
}

/** The form of a model, as it is typed. */
export type ModelFields = Readonly<Record<ModelField, string>>;

const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  google: "Google Gemini",
  bedrock: "Amazon Bedrock",
  ollama: "Ollama",
  "openai-compatible": "OpenAI-compatible server",
};

/** What people call a provider. */
export function nameOfProvider(provider: string): string {
  return PROVIDER_NAMES[provider] ?? provider;
}

/** Whether a field is never shown. */
export function isSecret(field: ModelField): boolean {
  return field === "apiKey" || field.startsWith("cloud");
}

/** The form of a stored model; secrets are empty, as the engine never tells them. */
export function toFields(
  model: ModelConfiguration | undefined,
  provider: string,
  parameters: ModelParameters,
): ModelFields {
  const stored: Readonly<Record<string, unknown>> = { provider, ...model, ...parameters };
  const text = (name: string) => String(stored[name] ?? "");
  return Object.fromEntries(Object.keys(LABELS).map((name) => [name, text(name)])) as ModelFields;
}

/** What the form sends. An empty secret is left out, so that an update keeps the stored one. */
export function toModelInput(fields: ModelFields, clearApiKey: boolean): UpsertModelConfiguration {
  const { contextWindow, temperature: _, maxOutputTokens: __, ...texts } = fields;
  const filled = Object.entries(texts)
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([name, text]) => text !== "" || !isSecret(name as ModelField))
    .map(([name, text]) => [name, text === "" ? null : text]);
  return {
    ...Object.fromEntries(filled),
    provider: fields.provider,
    model: fields.model.trim(),
    contextWindow: toNumber(contextWindow),
    ...(clearApiKey ? { clearApiKey } : {}),
  };
}

/** The parameters of the form; those that it does not show stay. */
export function toParameters(fields: ModelFields, stored: ModelParameters): ModelParameters {
  const temperature = toNumber(fields.temperature);
  return { ...stored, temperature, maxOutputTokens: toNumber(fields.maxOutputTokens) };
}

function toNumber(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
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
