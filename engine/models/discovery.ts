import type { EngineDeps } from "../deps.ts";
import { askServer } from "./ask-server.ts";
import { DISCOVERED_MODELS_MAX, DISCOVERY_ANSWER_BYTES_MAX, DISCOVERY_MS_MAX } from "./limits.ts";
import { modelsIn } from "./offered.ts";
import type { DiscoveredServer } from "./wire.ts";

/** Ollama, then LM Studio, llama.cpp, Jan and vLLM, at their usual ports. Discovery answers in this order. */
const LOCAL_SERVERS = [
  { port: 11434, provider: "ollama", basePath: "", listPath: "/api/tags" },
  ...[1234, 8080, 1337, 8000].map((port) => {
    return { port, provider: "openai-compatible", basePath: "/v1", listPath: "/v1/models" };
  }),
];

/** The model servers on this machine that answer, in the order of the list. All are asked at the same time. */
export async function discoverModels(
  deps: Pick<EngineDeps, "fetch" | "timers">,
  signal: AbortSignal,
): Promise<DiscoveredServer[]> {
  const found = LOCAL_SERVERS.map(async ({ port, provider, basePath, listPath }) => {
    const origin = `http://127.0.0.1:${port}`;
    const answer = await askServer(deps, origin + listPath, {
      bytesMax: DISCOVERY_ANSWER_BYTES_MAX,
      delayMs: DISCOVERY_MS_MAX,
      redirect: "error",
      signal,
    });
    // What answers may be no model server.
    const names = modelsIn(answer)?.map(({ name }) => name);
    const models = [...new Set(names)].slice(0, DISCOVERED_MODELS_MAX);
    return names ? [{ provider, baseUrl: origin + basePath, models }] : [];
  });
  return (await Promise.all(found)).flat();
}
