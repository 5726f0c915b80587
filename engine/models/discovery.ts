import { isJsonObject } from "../../shared/json.ts";
import { withDeadline } from "../deadline.ts";
import type { EngineDeps } from "../deps.ts";
import { askServer } from "./ask-server.ts";
import {
  DISCOVERED_MODELS_MAX,
  DISCOVERY_ANSWER_BYTES_MAX,
  DISCOVERY_MS_MAX,
  MODEL_NAME_CHARACTERS_MAX,
} from "./limits.ts";
import type { DiscoveredServer } from "./wire.ts";

type DiscoveryDeps = Pick<EngineDeps, "fetch" | "timers">;

/** The model servers on this machine that answer, in the order of the list. All are asked at the same time. */
export async function discoverModels(
  deps: DiscoveryDeps,
  signal: AbortSignal,
): Promise<DiscoveredServer[]> {
  const found = await Promise.all(LOCAL_SERVERS.map((server) => findServer(deps, server, signal)));
  return found.filter((server) => server !== undefined);
}

/** Undefined if nothing answers in time, or what answers is no model server. */
async function findServer(
  { fetch, timers }: DiscoveryDeps,
  { provider, port, listPath, list, basePath }: LocalServer,
  signal: AbortSignal,
): Promise<DiscoveredServer | undefined> {
  const origin = `http://127.0.0.1:${port}`;
  // Its end also aborts what is left of a response that is not read to its end.
  using limited = withDeadline(timers, signal, { delayMs: DISCOVERY_MS_MAX, reason: undefined });
  const answer = await askServer(fetch, origin + listPath, {
    bytesMax: DISCOVERY_ANSWER_BYTES_MAX,
    redirect: "error",
    signal: limited.signal,
  });
  const models = modelsIn(answer, list);
  return models && { provider, baseUrl: origin + basePath, models };
}

function modelsIn(
  answer: Readonly<Record<string, unknown>> | undefined,
  { field, name }: LocalServer["list"],
): string[] | undefined {
  const entries = answer?.[field];
  if (!Array.isArray(entries)) return undefined;
  const names = entries.flatMap((entry: unknown) => {
    const found = isJsonObject(entry) ? entry[name] : undefined;
    const isName = typeof found === "string" && found.trim() !== "";
    return isName && found.length <= MODEL_NAME_CHARACTERS_MAX ? [found] : [];
  });
  return [...new Set(names)].slice(0, DISCOVERED_MODELS_MAX);
}

/** A model server that a person may run on this machine, at its usual port. */
interface LocalServer {
  /** `provider` of a model configuration for it. */
  provider: string;
  port: number;
  /** Where it lists its models, and what the answer is like: `{[field]: [{[name]: string}]}`. */
  listPath: string;
  list: { field: string; name: string };
  /** The path of `baseUrl` in a model configuration. */
  basePath: string;
}

const OPENAI_STYLE = {
  listPath: "/v1/models",
  list: { field: "data", name: "id" },
  basePath: "/v1",
};

/** In the order in which discovery answers. */
const LOCAL_SERVERS: readonly LocalServer[] = [
  {
    provider: "ollama",
    port: 11434,
    listPath: "/api/tags",
    list: { field: "models", name: "name" },
    basePath: "",
  },
  // LM Studio, llama.cpp, Jan and vLLM.
  { provider: "openai-compatible", port: 1234, ...OPENAI_STYLE },
  { provider: "openai-compatible", port: 8080, ...OPENAI_STYLE },
  { provider: "openai-compatible", port: 1337, ...OPENAI_STYLE },
  { provider: "openai-compatible", port: 8000, ...OPENAI_STYLE },
];
