import type { Embedding } from "../embedder.ts";
import type { IndexProgress, RetrievalRoot, RootCounts } from "../retrieval.ts";
import type { Sidecar } from "../sidecar/sidecar.ts";
import type { Pauses } from "./pausing.ts";

/** What one index run of a root needs at every step. */
export interface IndexRun {
  root: RetrievalRoot;
  /** The root's real path: links above it are resolved, and there is none below. */
  realRoot: string;
  rootDevice: bigint;
  sidecar: Sidecar;
  embedding: Embedding;
  startedMs: number;
  counts: RootCounts;
  pauses: Pauses;
  signal: AbortSignal;
  report(progress: IndexProgress): void;
}
