import type { DocumentRead, DocumentRequest } from "./documents/document-thread.ts";
import type { IndexRuns } from "./index-runs.ts";

/** A root folder: its path, and its position in the workspace's `directories`. */
export interface RetrievalRoot {
  rootIndex: number;
  /** Absolute, existing and not a link: validated by the caller (Engine §2, retrieval rule 6). */
  path: string;
}

/** The counts of one index run of a root (Engine §2, retrieval objects 2). */
export interface RootCounts {
  indexed: number;
  unchanged: number;
  skipped: number;
  errors: number;
  removed: number;
}

export type SearchMode = "keyword" | "vector" | "hybrid";

export interface SearchRequest {
  query: string;
  mode: SearchMode;
  /** Over all roots together. */
  limit: number;
}

/** A chunk that answers a query (Engine §2, retrieval objects 4). */
export interface Hit {
  rootIndex: number;
  chunkId: number;
  documentId: number;
  path: string;
  ordinal: number;
  content: string;
  startLine: number | null;
  endLine: number | null;
  tokenEstimate: number | null;
  sensitive: boolean;
  score: number;
  /** Only in hybrid mode. */
  keywordScore?: number;
  vectorScore?: number;
}

/** A step of an index run. */
export interface IndexStep {
  phase: "waiting" | "counting" | "reading" | "embedding";
  /** Files in the phase `reading`, chunks in the phase `embedding`. */
  done: number;
  /** Null if the phase cannot know it beforehand. */
  total: number | null;
}

/** The progress of an index run: its step, and its share of the files. */
export interface IndexProgress extends IndexStep {
  filesDone: number;
  /** Null until they are counted. */
  filesTotal: number | null;
}

export interface RootStatus {
  /** Whether search would use this root's sidecar. */
  searchable: boolean;
  documents: number;
  chunks: number;
  /** Files and folders that the last run could not read. */
  failedFiles: number;
  /** When the last complete run ended, as ISO 8601; null before the first one. */
  lastIndexedAt: string | null;
  progress: IndexProgress | null;
}

/**
 * Called with the folders before a run reads them, relative to the root (each ends in `/`, the root is empty), and when it began
 * to look at them. The run waits for it.
 */
export type OnFolders = (folders: readonly string[], sinceMs: number) => Promise<void>;

/** A file or folder that could not be read. */
export interface FailedFile {
  /** Relative to the root; that of a folder ends in `/`. */
  path: string;
  /** A sentence. */
  reason: string;
}

/**
 * Indexing and search over roots, each in a thread of its own, as both block a thread for long (decision E-RAG-1).
 */
export interface Retrieval extends AsyncDisposable {
  /**
   * Waits if the root is busy. The signal ends the run at its next pause; its commits stay.
   * @throws EngineError `embedding` if the embedder or the disk failed, `conflict` if a newer engine wrote the index,
   * `invalid` if the root cannot hold an index.
   */
  indexRoot(root: RetrievalRoot, signal?: AbortSignal, onFolders?: OnFolders): Promise<RootCounts>;
  /** Subscribes to the index runs of the root's path. Returns the function that unsubscribes. */
  onProgress(root: RetrievalRoot, listener: (progress: IndexProgress) => void): () => void;
  /** Results by descending score. Roots without a usable sidecar are skipped. @throws EngineError `embedding`. */
  search(
    roots: readonly RetrievalRoot[],
    request: SearchRequest,
    signal?: AbortSignal,
  ): Promise<Hit[]>;
  status(roots: readonly RetrievalRoot[]): Promise<RootStatus[]>;
  /** The files that the index of a root could not read, sorted by path, up to a limit. */
  failures(root: RetrievalRoot): Promise<FailedFile[]>;
  /** The text of a PDF or DOCX, read in a thread of its own. @throws the signal's reason. */
  readDocument(request: DocumentRequest, signal?: AbortSignal): Promise<DocumentRead>;
  /** The active index runs. */
  readonly runs: IndexRuns;
}
