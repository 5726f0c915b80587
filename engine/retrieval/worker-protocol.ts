import type { EmbeddingsConfig, RerankConfig } from "../config.ts";
import type { FailureCode } from "./failures.ts";
import type { Checkpoint } from "./index/index-run.ts";
import type {
  FailedFile,
  Hit,
  IndexProgress,
  Relevance,
  RetrievalRoot,
  RootCounts,
  RootStatus,
  SearchRequest,
} from "./retrieval.ts";

/** The `workerData` of a thread. */
export interface WorkerSetup {
  embeddings: EmbeddingsConfig;
  rerank: RerankConfig | undefined;
  /** The memory of a `FileInWork`. */
  inWork: SharedArrayBuffer;
  /** The engine's own data directory: no run indexes it, and it lists the indexes of this engine. */
  dataDirectory: string;
}

/** An index run, or the rest of one whose thread was replaced. */
export interface IndexAsk {
  kind: "index";
  root: RetrievalRoot;
  /** Files that blocked the thread. */
  hung?: readonly string[];
  /** Whether its thread stopped outside of any file, and nothing was committed since. */
  hasStalled?: boolean;
  resume?: Checkpoint;
  /** Whether the run tells its folders, and waits. */
  tellsFolders?: boolean;
}

/** Asks whether changed paths concern the index. */
export interface JudgeAsk {
  kind: "judge";
  root: RetrievalRoot;
  paths: readonly string[];
}

/** A request to a thread. */
export type Ask =
  | IndexAsk
  | JudgeAsk
  | { kind: "search"; roots: readonly RetrievalRoot[]; request: SearchRequest }
  | { kind: "status"; roots: readonly RetrievalRoot[] }
  | { kind: "failures"; root: RetrievalRoot }
  /** Closes the root's index in the search thread. */
  | { kind: "release"; root: RetrievalRoot };

/** The response to each kind of request. */
export interface Answers {
  index: RootCounts;
  judge: Relevance;
  search: Hit[];
  status: IndexedCounts[];
  failures: FailedFile[];
  release: null;
}

/** What a root's index knows of itself. */
export type IndexedCounts = Omit<RootStatus, "progress">;

/** From the engine to the worker. */
export type ToWorker =
  | { type: "ask"; id: number; ask: Ask }
  | { type: "cancel"; id: number }
  /** The answer to `release` and `folders`. */
  | { type: "done"; id: number }
  /** Ends runs, closes indexes, and exits. */
  | { type: "stop" };

/** From the worker to the engine. */
export type FromWorker =
  | { type: "answer"; id: number; value: unknown }
  | { type: "failure"; id: number; code: FailureCode; message: string; cause: string }
  /** Null at the end of a run. */
  | { type: "progress"; root: RetrievalRoot; progress: IndexProgress | null }
  | { type: "checkpoint"; id: number; checkpoint: Checkpoint }
  /** Asks for the root's index to be closed in the search thread. */
  | { type: "release"; id: number; root: RetrievalRoot }
  /** What the run is about to read. */
  | {
      type: "folders";
      id: number;
      root: RetrievalRoot;
      folders: readonly string[];
      sinceMs: number;
    }
  | { type: "unusable"; root: RetrievalRoot; cause: string }
  | { type: "rerank-failed"; reason: string }
  | { type: "too-many-rules"; root: RetrievalRoot; path: string };
