import { parentPort, workerData } from "node:worker_threads";
import { systemTimers } from "../../shared/clock.ts";
import type { EmbeddingsConfig } from "../config.ts";
import type { Embedder } from "./embedder.ts";
import { createBuiltinEmbedder } from "./embedders/builtin/builtin-embedder.ts";
import { createRemoteEmbedder } from "./embedders/remote.ts";
import type { WorkerSetup } from "./worker-protocol.ts";
import { WorkerSession } from "./worker-session.ts";

// The program of two threads, for indexing and for search: both block a thread for long, and the engine must respond
// meanwhile (decision E-RAG-1).
const setup = workerData as WorkerSetup;
if (parentPort) new WorkerSession(parentPort, setup, createEmbedder(setup.embeddings));

function createEmbedder(config: EmbeddingsConfig): Embedder {
  if (config.kind === "builtin") return createBuiltinEmbedder();
  return createRemoteEmbedder(config, { fetch: globalThis.fetch, timers: systemTimers });
}
