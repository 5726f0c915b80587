import { workerData } from "node:worker_threads";
import { systemTimers } from "../../shared/clock.ts";
import { createEmbedder } from "./embedders/configured.ts";
import { createReranker } from "./reranker.ts";
import type { WorkerSetup } from "./worker-calls.ts";
import { WorkerSession } from "./worker-session.ts";

// The program of two threads, for indexing and for search: both block a thread for long, and the engine must respond
// meanwhile (decision E-RAG-1).
const setup = workerData as WorkerSetup;
const reranker =
  setup.rerank && createReranker(setup.rerank, { fetch: globalThis.fetch, timers: systemTimers });
new WorkerSession(setup, { embedder: createEmbedder(setup.embeddings), reranker });
