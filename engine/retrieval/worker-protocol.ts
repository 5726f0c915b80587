import type { EmbeddingsConfig } from "../config.ts";
import type { FailureCode } from "./failures.ts";
import type {
  Hit,
  IndexProgress,
  RetrievalRoot,
  RootCounts,
  RootStatus,
  SearchRequest,
} from "./retrieval.ts";

/** What the worker is started with. */
export interface WorkerSetup {
  embeddings: EmbeddingsConfig;
}

/** What the engine asks of the worker. */
export type Ask =
  | { kind: "index"; root: RetrievalRoot }
  | { kind: "search"; roots: readonly RetrievalRoot[]; request: SearchRequest }
  | { kind: "status"; roots: readonly RetrievalRoot[] };

/** What each ask is answered with. */
export interface Answers {
  index: RootCounts;
  search: Hit[];
  status: RootStatus[];
}

/** From the engine to the worker. */
export type ToWorker =
  | { type: "ask"; id: number; ask: Ask }
  | { type: "cancel"; id: number }
  /** Ends what runs, closes what is open, and exits. */
  | { type: "stop" };

/** From the worker to the engine. */
export type FromWorker =
  | { type: "answer"; id: number; value: unknown }
  | { type: "failure"; id: number; code: FailureCode; message: string; cause: string }
  | { type: "progress"; root: RetrievalRoot; progress: IndexProgress }
  | { type: "unusable"; root: RetrievalRoot; cause: string };
