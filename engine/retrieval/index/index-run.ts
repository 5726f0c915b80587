import type { BigIntStats } from "node:fs";
import type { DocumentReader } from "../documents/document-reader.ts";
import type { Embedding } from "../embedder.ts";
import type { IndexProgress, RetrievalRoot, RootCounts } from "../retrieval.ts";
import type { Sidecar } from "../sidecar/sidecar.ts";
import type { FileInWork } from "./file-in-work.ts";
import type { Pauses } from "./pausing.ts";
import type { WalkOptions } from "./walk.ts";

/** How far a run has come: what it committed, and what it counted on the way there. */
export interface Checkpoint {
  /** How many entries of the walk are behind it. */
  position: number;
  counts: RootCounts;
}

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
  documents: DocumentReader;
  inWork: FileInWork;
  walk: WalkOptions;
  /** Where the run begins to count. */
  resume: Checkpoint;
  report(progress: IndexProgress): void;
  checkpoint(checkpoint: Checkpoint): void;
}

// A file that was written this shortly before a run may be written once more within the same tick of its clock.
const TRUSTED_AGE_MS = 2_000n;

/** Size and times of a file; null where they are too fresh to tell the next change by (git calls such entries racy). */
export function stampOf(stats: BigIntStats, runStartedMs: number): string | null {
  const racy = stats.mtimeMs + TRUSTED_AGE_MS > BigInt(runStartedMs);
  return racy ? null : currentStamp(stats);
}

export function currentStamp({ size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ctimeNs}`;
}
