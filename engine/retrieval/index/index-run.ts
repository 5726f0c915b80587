import type { BigIntStats } from "node:fs";
import type { Slices } from "../../files/slices.ts";
import type { DocumentReader } from "../documents/document-reader.ts";
import type { Embedder } from "../embedder.ts";
import type { IndexProgress, RetrievalRoot, RootCounts } from "../retrieval.ts";
import type { Sidecar } from "../sidecar/sidecar.ts";
import type { FileInWork } from "./file-in-work.ts";
import type { WalkOptions } from "./walk.ts";

/** How far a run has come: what it committed, and what it counted on the way there. */
export interface Checkpoint {
  /** How many entries of the walk are behind it. */
  position: number;
  counts: RootCounts;
}

/** What an index run needs from outside. */
export interface IndexDeps {
  embedder: Embedder;
  documents: DocumentReader;
  inWork: FileInWork;
  walk: WalkOptions;
  /** Files at which the thread of this run hung before. */
  hung: readonly string[];
  /** What that thread had committed. */
  resume: Checkpoint;
  signal: AbortSignal;
  now(): number;
  report(progress: IndexProgress): void;
  checkpoint(checkpoint: Checkpoint): void;
  /** Closes what search has open of the root's index. */
  release(): Promise<void>;
}

/** One index run of a root. */
export interface IndexRun extends IndexDeps {
  root: RetrievalRoot;
  /** The root's real path: links above it are resolved, and there is none below. */
  realRoot: string;
  rootDevice: bigint;
  sidecar: Sidecar;
  startedMs: number;
  counts: RootCounts;
  slices: Slices;
}

/** Where a run starts that replaces no other one. */
export const NOTHING_DONE: Checkpoint = {
  position: 0,
  counts: { indexed: 0, unchanged: 0, skipped: 0, errors: 0, removed: 0 },
};

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
