import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Embedding } from "../embedder.ts";
import { RetrievalFailure, SidecarDamaged, toRetrievalError } from "../failures.ts";
import type { IndexProgress, RetrievalRoot, RootCounts } from "../retrieval.ts";
import { makeSidecarFolder, SIDECAR_FILE } from "../sidecar/folder.ts";
import { purge } from "../sidecar/meta-store.ts";
import { holdRunLock } from "../sidecar/run-lock.ts";
import { embedBuiltin } from "./embed-builtin.ts";
import { Pauses } from "./pausing.ts";
import { readFiles } from "./read-files.ts";
import { openTarget, setAside } from "./target.ts";

/** What an index run needs from outside. */
export interface IndexDeps {
  embedding: Embedding;
  signal: AbortSignal;
  now(): number;
  report(progress: IndexProgress): void;
  /** Closes what search has open of the root's index. */
  release(): void;
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
    setAside(join(makeSidecarFolder(root.path), SIDECAR_FILE), { ...deps, nowMs: deps.now() });
    return await runOnce(root, deps).catch((again) => {
      throw toRetrievalError(again);
    });
  }
}

async function runOnce(root: RetrievalRoot, deps: IndexDeps): Promise<RootCounts> {
  const { embedding, signal, report } = deps;
  const realRoot = realPathOf(root.path);
  const folder = makeSidecarFolder(root.path);
  report({ phase: "waiting", done: 0, total: null });
  using _lock = await holdRunLock(folder, signal);
  const startedMs = deps.now();
  using target = openTarget({ ...deps, folder, signature: embedding.signature, nowMs: startedMs });
  const { sidecar } = target;
  const counts: RootCounts = { indexed: 0, unchanged: 0, skipped: 0, errors: 0, removed: 0 };
  const rootDevice = statSync(realRoot, { bigint: true }).dev;
  const pauses = new Pauses(signal);
  const run = { root, realRoot, rootDevice, sidecar, embedding, startedMs, counts };
  await readFiles({ ...run, pauses, signal, report });
  if (!embedding.remote) await embedBuiltin({ ...run, pauses, signal, report });
  purge(sidecar);
  await target.finish();
  return counts;
}

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    throw new RetrievalFailure("invalid", "Invalid root.", error);
  }
}
