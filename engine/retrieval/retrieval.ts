import type { Root } from "../workspaces/roots.ts";
import type { RagFailure, RagRootIndex, RagRootStatus, RagSearch } from "./wire.ts";

/** A root folder: validated by the caller (Engine §2, retrieval rule 6). */
export type RetrievalRoot = Root;

/** The counts of one index run of a root (Engine §2, retrieval objects 2). */
export type RootCounts = Omit<RagRootIndex, "rootIndex">;

/** A search; its limit counts over all roots together. */
export type SearchRequest = Pick<RagSearch, "query" | "mode" | "limit">;

export type SearchMode = RagSearch["mode"];

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

/** Passes progress on at most once an interval, but each new phase at once. */
export function onceAnInterval(
  intervalMs: number,
  clock: { now(): number },
  report: (progress: IndexProgress) => void,
): (progress: IndexProgress) => void {
  let last: { phase: string; atMs: number } | undefined;
  return (progress) => {
    const atMs = clock.now();
    if (last && last.phase === progress.phase && atMs - last.atMs < intervalMs) return;
    last = { phase: progress.phase, atMs };
    report(progress);
  };
}

/** The index of a root as search would use it. */
export interface RootStatus
  extends Pick<
    RagRootStatus,
    "searchable" | "documents" | "chunks" | "failedFiles" | "lastIndexedAt"
  > {
  progress: IndexProgress | null;
}

/** The status of a root that search would not use. */
export const NOT_INDEXED: RootStatus = {
  searchable: false,
  documents: 0,
  chunks: 0,
  failedFiles: 0,
  lastIndexedAt: null,
  progress: null,
};

/**
 * Called with the folders before a run reads them, relative to the root (each ends in `/`, the root is empty), and when it began
 * to look at them. The run waits for it.
 */
export type OnFolders = (folders: readonly string[], sinceMs: number) => Promise<void>;

/** A file or folder that could not be read. */
export type FailedFile = RagFailure;
