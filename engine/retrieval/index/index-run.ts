import type { BigIntStats } from "node:fs";
import type { Slices } from "../../files/slices.ts";
import type { DocumentReader } from "../documents/document-reader.ts";
import type { Embedder } from "../embedder.ts";
import type { IndexProgress, IndexStep, RetrievalRoot, RootCounts } from "../retrieval.ts";
import type { OwnIndexes } from "../sidecar/own-indexes.ts";
import type { Sidecar } from "../sidecar/sidecar.ts";
import type { IndexHeartbeat } from "./index-heartbeat.ts";
import type { WalkOptions } from "./walk.ts";

/** The dependencies of an index run. */
export interface IndexDeps {
  embedder: Embedder;
  /** Which indexes may be opened. */
  own: OwnIndexes;
  documents: DocumentReader;
  heartbeat: IndexHeartbeat;
  walk: WalkOptions;
  /** Files that blocked the thread of this run before. */
  hung: readonly string[];
  signal: AbortSignal;
  now(): number;
  report(progress: IndexProgress): void;
  /** Reports the folders before the first file is read. */
  reportFolders(folders: readonly string[], sinceMs: number): Promise<void>;
  /** Closes the root's index in the search thread. */
  release(): Promise<void>;
}

/** One index run of a root. */
export interface IndexRun extends Omit<IndexDeps, "report"> {
  root: RetrievalRoot;
  /** The root's real path. */
  realRoot: string;
  rootDevice: bigint;
  sidecar: Sidecar;
  startedMs: number;
  counts: RootCounts;
  /** The files of the walk. */
  files: { done: number; total: number | null };
  slices: Slices;
  report(step: IndexStep): void;
}

// A file written this shortly before a run may be written again within the same tick of the file system's clock.
const TRUSTED_AGE_MS = 2_000n;

/** Size and times of a file; null if they are too recent to detect the next change (git: racy entries). */
export function stampOf(stats: BigIntStats, runStartedMs: number): string | null {
  const racy = stats.mtimeMs + TRUSTED_AGE_MS > BigInt(runStartedMs);
  return racy ? null : currentStamp(stats);
}

export function currentStamp({ size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ctimeNs}`;
}
