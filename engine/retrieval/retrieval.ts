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
