import { lstatSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DocumentReader } from "../documents/document-reader.ts";
import type { Embedding } from "../embedder.ts";
import { embedBuiltin } from "../embedders/builtin/embed-index.ts";
import { RetrievalFailure, SidecarDamaged, toRetrievalError } from "../failures.ts";
import type { IndexProgress, RetrievalRoot, RootCounts } from "../retrieval.ts";
import { upsertFailure } from "../sidecar/failure-store.ts";
import { makeSidecarFolder, SIDECAR_FILE } from "../sidecar/folder.ts";
import { holdRunLock } from "../sidecar/locks.ts";
import { purge } from "../sidecar/meta-store.ts";
import type { FileInWork } from "./file-in-work.ts";
import { type Checkpoint, currentStamp, type IndexRun } from "./index-run.ts";
import { Pauses } from "./pausing.ts";
import { readFiles } from "./read-files.ts";
import { openTarget, setAside } from "./target.ts";
import type { WalkOptions } from "./walk.ts";

/** What an index run needs from outside. */
export interface IndexDeps {
  embedding: Embedding;
  documents: DocumentReader;
  inWork: FileInWork;
  walk: WalkOptions;
  /** Files at which the thread of this run hung before. */
  hung: readonly string[];
  /** What that thread had committed. */
  resume: Checkpoint | undefined;
  signal: AbortSignal;
  now(): number;
  report(progress: IndexProgress): void;
  checkpoint(checkpoint: Checkpoint): void;
  /** Closes what search has open of the root's index. */
  release(): Promise<void>;
}

/**
 * Brings the index of a root up to date. One run at a time for a root: see `RootLocks` and `holdRunLock`.
 * @throws RetrievalFailure; what was committed before stays.
 */
export async function indexRoot(root: RetrievalRoot, deps: IndexDeps): Promise<RootCounts> {
  try {
    return await runOnce(root, deps);
  } catch (error) {
    const failure = toRetrievalError(error);
    if (!(failure instanceof SidecarDamaged)) throw failure;
    // It opened well and proved damaged later: once more, with an empty one.
    const path = join(makeSidecarFolder(root.path), SIDECAR_FILE);
    await setAside(path, { ...deps, nowMs: deps.now() });
    return await runOnce(root, { ...deps, resume: undefined }).catch((again) => {
      throw toRetrievalError(again);
    });
  }
}

async function runOnce(root: RetrievalRoot, deps: IndexDeps): Promise<RootCounts> {
  const { embedding, signal, report, resume = NOTHING_DONE } = deps;
  const realRoot = realPathOf(root.path);
  const folder = makeSidecarFolder(root.path);
  report({ phase: "waiting", done: 0, total: null });
  using _lock = await holdRunLock(folder, signal);
  const startedMs = deps.now();
  const place = { ...deps, folder, signature: embedding.signature, nowMs: startedMs };
  using target = await openTarget(place);
  const { sidecar } = target;
  const counts: RootCounts = { ...NOTHING_DONE.counts };
  const rootDevice = statSync(realRoot, { bigint: true }).dev;
  const pauses = new Pauses(signal);
  const run = { ...deps, root, realRoot, rootDevice, sidecar, startedMs, counts, pauses, resume };
  rememberHung(run, deps.hung);
  await readFiles(run);
  if (!embedding.remote) await embedBuiltin(run);
  purge(sidecar);
  await target.finish();
  return counts;
}

const NOTHING_DONE: Checkpoint = {
  position: 0,
  counts: { indexed: 0, unchanged: 0, skipped: 0, errors: 0, removed: 0 },
};

// Before anything else, so that the next run knows of them even where this one is killed. They are not opened again.
function rememberHung(
  { realRoot, sidecar }: Pick<IndexRun, "realRoot" | "sidecar">,
  paths: readonly string[],
): void {
  if (paths.length === 0) return;
  sidecar.write(() => {
    for (const path of paths) {
      const stats = lstatSync(join(realRoot, path), { bigint: true, throwIfNoEntry: false });
      if (!stats) continue;
      upsertFailure(sidecar, { path, stamp: currentStamp(stats), hash: null, reason: HUNG });
    }
  });
}

const HUNG = "Reading it took more than 30 s.";

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    throw new RetrievalFailure("invalid", "Invalid root.", error);
  }
}
