import { parentPort, workerData } from "node:worker_threads";
import { createEmbedder } from "./embedders/configured.ts";
import type { WorkerSetup } from "./worker-protocol.ts";
import { WorkerSession } from "./worker-session.ts";

// The program of two threads, for indexing and for search: both block a thread for long, and the engine must respond
// meanwhile (decision E-RAG-1).
const setup = workerData as WorkerSetup;
if (parentPort) new WorkerSession(parentPort, setup, createEmbedder(setup.embeddings));
