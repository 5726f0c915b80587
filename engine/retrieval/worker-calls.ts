import type { EmbeddingsConfig, RerankConfig } from "../config.ts";
import type { FailureCode } from "./failures.ts";
import type {
  FailedFile,
  Hit,
  IndexProgress,
  RetrievalRoot,
  RootCounts,
  RootStatus,
  SearchRequest,
} from "./retrieval.ts";

/** The `workerData` of a thread. */
export interface WorkerSetup {
  embeddings: EmbeddingsConfig;
  rerank: RerankConfig | undefined;
  /** The memory of a `IndexHeartbeat`. */
  heartbeat: SharedArrayBuffer;
  /** The engine's own data directory: no run indexes it, and it lists the indexes of this engine. */
  dataDirectory: string;
}

/** An index run, or the rest of one whose thread was replaced. */
export interface IndexRequest {
  root: RetrievalRoot;
  /** Files that blocked the thread. */
  hung?: readonly string[];
  /** Whether the run reports its folders and waits. */
  reportsFolders: boolean;
}

/** The counts that an index stores. */
export type IndexedCounts = Omit<RootStatus, "progress">;

/** The functions of a thread. A call has a number; one that fails throws a `ThreadFailure`. */
export interface WorkerCalls {
  index(call: number, request: IndexRequest): Promise<RootCounts>;
  search(call: number, roots: readonly RetrievalRoot[], request: SearchRequest): Promise<Hit[]>;
  status(call: number, roots: readonly RetrievalRoot[]): Promise<IndexedCounts[]>;
  failures(call: number, root: RetrievalRoot): Promise<FailedFile[]>;
  /** Closes the root's index in the search thread. */
  release(call: number, root: RetrievalRoot): Promise<void>;
  cancel(call: number): void;
  /** Ends runs, closes indexes, and exits. */
  stop(): void;
}

/** The functions that a thread calls in the engine. */
export interface EngineCalls {
  /** Null at the end of a run. */
  progress(root: RetrievalRoot, progress: IndexProgress | null): void;
  /** Closes the root's index in the search thread. */
  release(root: RetrievalRoot): Promise<void>;
  /** The folders that the run will read. */
  folders(call: number, folders: readonly string[], sinceMs: number): Promise<void>;
  warn(fields: Readonly<Record<string, string>>, message: string): void;
}

/** The error of a call: an `Error` would lose its code between threads. */
export interface ThreadFailure {
  code: FailureCode;
  message: string;
  /** With stacks, for the log. */
  cause: string;
}
