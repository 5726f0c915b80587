import { systemTimers } from "../../../shared/clock.ts";
import type { EmbeddingsConfig } from "../../config.ts";
import type { Embedder } from "../embedder.ts";
import { createBuiltinEmbedder } from "./builtin/builtin-embedder.ts";
import { createRemoteEmbedder } from "./remote.ts";

/** The embedder that the operator chose. */
export function createEmbedder(config: EmbeddingsConfig): Embedder {
  if (config.kind === "builtin") return createBuiltinEmbedder();
  return createRemoteEmbedder(config, { fetch: globalThis.fetch, timers: systemTimers });
}
