import { parentPort, workerData } from "node:worker_threads";
import type { EmbeddingsConfig } from "../config.ts";
import type { Embedding } from "./embedder.ts";
import { builtinEmbedding } from "./embedders/builtin/signature.ts";
import { openAiCompatibleEmbedding } from "./embedders/openai-compatible.ts";
import type { WorkerSetup } from "./worker-protocol.ts";
import { WorkerSession } from "./worker-session.ts";

// The program of two threads, one that indexes and one that searches: both hold a thread for long, and the engine must answer
// meanwhile (decision E-RAG-1).
const setup = workerData as WorkerSetup;
if (parentPort) new WorkerSession(parentPort, setup, embeddingOf(setup.embeddings));

function embeddingOf(config: EmbeddingsConfig): Embedding {
  if (config.kind === "builtin") return builtinEmbedding();
  return openAiCompatibleEmbedding(config, { fetch: globalThis.fetch });
}
