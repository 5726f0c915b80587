import { withoutTrailing } from "../../../shared/without-trailing.ts";
import { isLoopbackHost } from "../../runtime/loopback.ts";
import type { ModelCredentials } from "../credentials.ts";
import { ModelFailure } from "../language-model.ts";
import type { KnownProvider, ProviderField } from "../wire.ts";
import {
  anthropicDialect,
  bedrockDialect,
  type Dialect,
  googleDialect,
  ollamaDialect,
  openaiCompatibleDialect,
  openaiDialect,
} from "./dialect.ts";
import { ECHO_MODEL_ID } from "./echo.ts";
import type { SdkModel } from "./sdk.ts";

/** The connection settings of a model: credentials trimmed and checked, blank texts undefined. */
interface ProviderSettings extends ModelCredentials {
  model: string;
  baseUrl: string | undefined;
  region: string | undefined;
}

/** A server that can be asked for the context window of its models. */
export interface ModelServer {
  protocol: "ollama" | "openai-compatible";
  /** Without a slash at its end. */
  baseUrl: string;
}

/** How a provider's model is connected. */
export interface Provider {
  dialect: Dialect;
  /** What to try if the server has no such address; undefined if nothing is known. */
  ifNotFound?: string;
  /** The server that may say the context window of the model; left out if none does. */
  server?: ModelServer;
  /** Where it speaks OpenAI's chat completions, without a slash at its end; left out if it does not. */
  openaiUrl?: string;
  /** Loads the package on first use. All settings are passed: no package may read the environment. */
  connect(fetch: typeof globalThis.fetch): Promise<SdkModel>;
}

const OPENAI_URL = "https://api.openai.com/v1";
const ANTHROPIC_URL = "https://api.anthropic.com/v1";
const GOOGLE_URL = "https://generativelanguage.googleapis.com/v1beta";
const OLLAMA_URL = "http://127.0.0.1:11434";

interface ProviderEntry {
  /** The provider's own address; null if there is none. */
  baseUrl: string | null;
  fields: readonly ProviderField[];
  choose(settings: ProviderSettings): Provider;
}

const field = (
  name: ProviderField["name"],
  rule: { required?: boolean; unless?: readonly ProviderField["name"][] } = {},
): ProviderField => ({
  name,
  required: rule.required ?? rule.unless !== undefined,
  unless: [...(rule.unless ?? [])],
  secret: name !== "baseUrl" && name !== "region",
});

// A server at an address of its own may need no key.
const HOSTED = [field("apiKey", { unless: ["baseUrl"] }), field("baseUrl")];
const LOCAL = [field("baseUrl"), field("apiKey")];

const PROVIDERS: Readonly<Record<string, ProviderEntry>> = {
  openai: { baseUrl: OPENAI_URL, fields: HOSTED, choose: openai },
  anthropic: { baseUrl: ANTHROPIC_URL, fields: HOSTED, choose: anthropic },
  google: { baseUrl: GOOGLE_URL, fields: HOSTED, choose: google },
  bedrock: {
    baseUrl: null,
    fields: [
      field("region", { required: true }),
      field("apiKey"),
      field("cloudAccessKeyId", { unless: ["apiKey"] }),
      field("cloudSecretAccessKey", { unless: ["apiKey"] }),
      field("cloudSessionToken"),
      field("baseUrl"),
    ],
    choose: bedrock,
  },
  ollama: { baseUrl: OLLAMA_URL, fields: LOCAL, choose: ollama },
  "openai-compatible": {
    baseUrl: null,
    fields: [field("baseUrl", { required: true }), field("apiKey")],
    choose: openaiCompatible,
  },
};

/** The settings of each known provider, from the table that connects models; `echo` has none. */
export function listProviders(): KnownProvider[] {
  const known = Object.entries(PROVIDERS).map(([provider, { baseUrl, fields }]) => ({
    provider,
    baseUrl,
    fields: [...fields],
  }));
  return [...known, { provider: ECHO_MODEL_ID, baseUrl: null, fields: [] }];
}

/** The sentence for a server of a model that does not answer: its address, and what to start. Undefined without an address. */
export function describeUnreachable(name: string, baseUrl: string | undefined): string | undefined {
  const provider = toProviderName(name);
  const known = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider]?.baseUrl : undefined;
  const url = URL.parse(baseUrl ?? known ?? "");
  if (!url) return undefined;
  const isHere = isLoopbackHost(url.hostname);
  const cure = isHere ? "Is its server running?" : "Is this machine online, and the address right?";
  return `Nothing answers at ${url.origin}. ${provider === "ollama" && isHere ? "Is Ollama running?" : cure}`;
}

/** The normal form of a provider's name. */
export function toProviderName(typed: string): string {
  return typed.trim().toLowerCase();
}

/**
 * The provider of this name. An unknown one with a base URL is used as openai-compatible.
 * @throws ModelFailure if the provider is unknown, or a setting that it needs is missing
 */
export function resolveProvider(name: string, settings: ProviderSettings): Provider {
  const known = toProviderName(name);
  const choice = Object.hasOwn(PROVIDERS, known) ? PROVIDERS[known] : undefined;
  if (choice) return choice.choose(settings);
  if (settings.baseUrl) return openaiCompatible(settings);
  const names = [...Object.keys(PROVIDERS), ECHO_MODEL_ID].join(", ");
  throw new ModelFailure(
    `The provider of this model is unknown and has no base URL. Known providers: ${names}.`,
  );
}

function openai(settings: ProviderSettings): Provider {
  // Another server under this provider name supports chat completions, not OpenAI's own newer API.
  const baseUrl = settings.baseUrl ? parseBaseUrl(settings.baseUrl) : OPENAI_URL;
  if (!/(^|\.)openai\.com$/.test(new URL(baseUrl).hostname)) return openaiCompatible(settings);
  const apiKey = required(settings.apiKey, "openai", "an API key");
  const baseURL = parseBaseUrl(baseUrl, "/v1");
  return {
    dialect: openaiDialect,
    openaiUrl: baseURL,
    async connect(fetch) {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ apiKey, baseURL, fetch }).responses(settings.model);
    },
  };
}

function anthropic(settings: ProviderSettings): Provider {
  const baseURL = settings.baseUrl ? parseBaseUrl(settings.baseUrl, "/v1") : ANTHROPIC_URL;
  const apiKey = keyFor(settings, "anthropic");
  return {
    dialect: anthropicDialect,
    openaiUrl: baseURL,
    async connect(fetch) {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ apiKey, baseURL, fetch }).languageModel(settings.model);
    },
  };
}

function google(settings: ProviderSettings): Provider {
  const baseURL = settings.baseUrl ? parseBaseUrl(settings.baseUrl, "/v1beta") : GOOGLE_URL;
  const apiKey = keyFor(settings, "google");
  return {
    dialect: googleDialect,
    openaiUrl: `${baseURL}/openai`,
    async connect(fetch) {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle({ apiKey, baseURL, fetch }).languageModel(settings.model);
    },
  };
}

function bedrock(settings: ProviderSettings): Provider {
  const region = required(settings.region, "bedrock", "a region");
  if (!/^[a-z0-9-]+$/.test(region))
    throw new ModelFailure("The region of this model is not valid.");
  const baseURL = settings.baseUrl ? parseBaseUrl(settings.baseUrl) : bedrockUrl(region);
  const access = bedrockAccess(settings);
  return {
    dialect: bedrockDialect,
    async connect(fetch) {
      const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
      return createAmazonBedrock({ ...access, region, baseURL, fetch })(settings.model);
    },
  };
}

// An address for its OpenAI-compatible route is good, too.
function ollama({ baseUrl: given, apiKey, model }: ProviderSettings): Provider {
  const baseUrl = parseBaseUrl(given ?? OLLAMA_URL).replace(/\/v1$/, "");
  return {
    dialect: ollamaDialect,
    server: { protocol: "ollama", baseUrl },
    openaiUrl: `${baseUrl}/v1`,
    async connect(fetch) {
      const { createOllamaModel } = await import("./ollama.ts");
      return createOllamaModel(fetch, { baseUrl, apiKey, model });
    },
  };
}

// The base URL is used as it is: some servers have their API at the root.
function openaiCompatible({ model, baseUrl, apiKey }: ProviderSettings): Provider {
  const baseURL = parseBaseUrl(required(baseUrl, "openai-compatible", "a base URL"));
  const isBare = new URL(baseURL).pathname === "/";
  return {
    dialect: openaiCompatibleDialect,
    server: { protocol: "openai-compatible", baseUrl: baseURL },
    openaiUrl: baseURL,
    ...(isBare && {
      ifNotFound: "The base URL of this model has no path: most servers need /v1 at its end.",
    }),
    async connect(fetch) {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const name = "openai-compatible";
      return createOpenAICompatible({ name, apiKey, baseURL, includeUsage: true, fetch }).chatModel(
        model,
      );
    },
  };
}

/** A local server may need no key; an empty one stops the package from reading another. */
function keyFor({ apiKey, baseUrl }: ProviderSettings, provider: string): string {
  return baseUrl ? (apiKey ?? "") : required(apiKey, provider, "an API key");
}

function bedrockUrl(region: string): string {
  const domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  return `https://bedrock-runtime.${region}.${domain}`;
}

function bedrockAccess(settings: ProviderSettings) {
  if (settings.apiKey) return { apiKey: settings.apiKey };
  return {
    apiKey: "",
    accessKeyId: required(settings.cloudAccessKeyId, "bedrock", "a cloud access key id"),
    secretAccessKey: required(
      settings.cloudSecretAccessKey,
      "bedrock",
      "a cloud secret access key",
    ),
    sessionToken: settings.cloudSessionToken,
  };
}

function required(value: string | undefined, provider: string, what: string): string {
  if (value) return value;
  throw new ModelFailure(
    `The provider ${provider} needs ${what}. Add it to the configuration of this model.`,
  );
}

/**
 * A stored base URL in the form that provider packages take: without a slash at its end. `emptyPath` is the path where
 * the URL has none.
 * @throws ModelFailure if the URL is not usable
 */
export function parseBaseUrl(text: string, emptyPath = ""): string {
  const url = URL.parse(text.trim());
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ModelFailure("The base URL of this model is not an HTTP or HTTPS address.");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new ModelFailure("The base URL of this model may not have credentials or a query.");
  }
  const path = withoutTrailing(url.pathname, "/");
  return url.origin + (path === "" ? emptyPath : path);
}
