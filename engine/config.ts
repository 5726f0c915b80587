import { resolve } from "node:path";
import { z } from "zod";
import { type Environment, listOf, logLevel, oneOf, parseEnv, port, text } from "../shared/env.ts";
import { isHostEntry, urlHost } from "../shared/host.ts";
import { defaultDataDirectory, type Machine, thisMachine } from "../shared/node/data-directory.ts";
import { describeUnknownVariables } from "../shared/unknown-variables.ts";
import { withoutTrailing } from "../shared/without-trailing.ts";
import { isLoopbackHost } from "./runtime/loopback.ts";

/** The operator's settings. */
export type EngineConfig = ReturnType<typeof parseConfig>;

/** A server that orders texts by a query; a server of one model needs no name. */
export type RerankConfig = NonNullable<EngineConfig["rerank"]>;

export type EmbeddingsConfig =
  | { kind: "builtin" }
  | { kind: "openai-compatible"; url: string; model: string; apiKey: string | undefined };

const ORIGIN_ENTRY = /^([a-z][a-z0-9+.-]*:\/\/[^/?#\s]+|null)$/i;

const webUrl = z
  .string()
  .refine(isWebUrl, "must be an http or https URL without credentials")
  .optional();

// The messages are for the operator. None may repeat a value: an address can carry a password.
const VARIABLES = z.object({
  ENGINE_DATA_DIR: z
    .string()
    .refine(
      (path) => !path.startsWith("~"),
      "begins with ~, which only a shell expands; write the whole path",
    )
    .optional(),
  ENGINE_HOST: z
    .string()
    .refine(isLoopbackHost, "must be a loopback name or address, such as 127.0.0.1")
    .default("127.0.0.1"),
  ENGINE_PORT: port.optional(),
  ENGINE_ALLOWED_HOSTS: listOf(
    isHostEntry,
    "must be a comma-separated list of `name` or `name:port`",
  ),
  ENGINE_ALLOWED_ORIGINS: listOf(
    (origin) => ORIGIN_ENTRY.test(origin),
    "must be a comma-separated list of origins such as https://example.org, without a path",
  ),
  ENGINE_CONSOLE: oneOf(["0", "1"]).default("1"),
  ENGINE_OPENAI: oneOf(["0", "1"]).default("1"),
  ENGINE_DISCOVERY: oneOf(["0", "1"]).default("1"),
  ENGINE_ACCOUNT_URL: z
    .string()
    .refine(isSafeUrl, "must be an https URL, or an http URL of this machine, without credentials")
    .optional(),
  ENGINE_CREDENTIAL_STORE: oneOf(["auto", "keychain", "file"]).default("auto"),
  ENGINE_EMBEDDINGS: oneOf(["builtin", "openai-compatible"]).default("builtin"),
  ENGINE_EMBEDDINGS_URL: webUrl,
  ENGINE_EMBEDDINGS_MODEL: text,
  ENGINE_EMBEDDINGS_API_KEY: text,
  ENGINE_EMBEDDINGS_ALLOW_REMOTE: oneOf(["0", "1"]).default("0"),
  ENGINE_RERANK_URL: webUrl,
  ENGINE_RERANK_MODEL: text,
  ENGINE_RERANK_API_KEY: text,
  ENGINE_RERANK_ALLOW_REMOTE: oneOf(["0", "1"]).default("0"),
  ENGINE_LOG_LEVEL: logLevel,
});

type Variables = z.output<typeof VARIABLES>;

const CONFIGURATION = VARIABLES.superRefine((env, context) => {
  // An address that is none would have two sentences.
  if (context.issues.length > 0) return;
  const refuse = (name: keyof Variables, message: string) =>
    context.addIssue({ code: "custom", path: [name], message });
  const requireLocal = (
    name: "ENGINE_EMBEDDINGS_URL" | "ENGINE_RERANK_URL",
    permission: "ENGINE_EMBEDDINGS_ALLOW_REMOTE" | "ENGINE_RERANK_ALLOW_REMOTE",
  ) => {
    const url = env[name];
    if (!url || env[permission] === "1" || isLoopbackUrl(url)) return;
    refuse(
      name,
      `must be an address of this machine unless ${permission} is 1: it gets the content of your files`,
    );
  };
  requireLocal("ENGINE_RERANK_URL", "ENGINE_RERANK_ALLOW_REMOTE");
  if (env.ENGINE_EMBEDDINGS !== "openai-compatible") return;
  for (const name of ["ENGINE_EMBEDDINGS_URL", "ENGINE_EMBEDDINGS_MODEL"] as const) {
    if (!env[name]) refuse(name, "is needed if ENGINE_EMBEDDINGS is openai-compatible");
  }
  requireLocal("ENGINE_EMBEDDINGS_URL", "ENGINE_EMBEDDINGS_ALLOW_REMOTE");
});

/** A sentence for each `ENGINE_…` variable that the engine does not know. */
export function listUnknownVariables(env: Environment): string[] {
  return describeUnknownVariables(env, "ENGINE_", Object.keys(VARIABLES.shape));
}

/**
 * Reads the `ENGINE_…` variables that docs/settings.md lists.
 * @throws BadConfiguration with a sentence for each bad variable, and never a value.
 */
export function parseConfig(env: Environment, machine: Machine = thisMachine()) {
  const read = parseEnv(CONFIGURATION, env);
  return {
    dataDirectory: resolve(
      read.ENGINE_DATA_DIR ?? defaultDataDirectory("roundhouse", env, machine),
    ),
    /** In the form of a URL: an IPv6 address has brackets. */
    host: urlHost(read.ENGINE_HOST).toLowerCase(),
    /** Undefined means the default port, or a free one if that is taken. 0 means any free port. */
    port: read.ENGINE_PORT,
    allowedHosts: read.ENGINE_ALLOWED_HOSTS,
    allowedOrigins: read.ENGINE_ALLOWED_ORIGINS,
    /** Whether the console is served. */
    console: read.ENGINE_CONSOLE === "1",
    /** Whether the OpenAI-compatible interface is served. */
    openai: read.ENGINE_OPENAI === "1",
    /** Whether the usual ports of model servers on this machine may be asked. */
    discovery: read.ENGINE_DISCOVERY === "1",
    accountUrl: read.ENGINE_ACCOUNT_URL && withoutTrailing(read.ENGINE_ACCOUNT_URL, "/"),
    credentialStore: read.ENGINE_CREDENTIAL_STORE,
    embeddings: toEmbeddings(read),
    /** Undefined if no server orders the results of a search. */
    rerank: toRerank(read),
    logLevel: read.ENGINE_LOG_LEVEL,
  };
}

function toRerank(read: Variables) {
  const { ENGINE_RERANK_URL: url, ENGINE_RERANK_MODEL: model } = read;
  if (!url) return undefined;
  return { url: withoutTrailing(url, "/"), model, apiKey: read.ENGINE_RERANK_API_KEY };
}

function toEmbeddings(read: Variables): EmbeddingsConfig {
  const { ENGINE_EMBEDDINGS_URL: url, ENGINE_EMBEDDINGS_MODEL: model } = read;
  if (read.ENGINE_EMBEDDINGS === "builtin" || !url || !model) return { kind: "builtin" };
  const apiKey = read.ENGINE_EMBEDDINGS_API_KEY;
  return { kind: "openai-compatible", url: withoutTrailing(url, "/"), model, apiKey };
}

function isWebUrl(value: string): boolean {
  const url = URL.parse(value);
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
  );
}

function isLoopbackUrl(value: string): boolean {
  return isLoopbackHost(URL.parse(value)?.hostname ?? "");
}

function isSafeUrl(value: string): boolean {
  return isWebUrl(value) && (/^https:/i.test(value) || isLoopbackUrl(value));
}
