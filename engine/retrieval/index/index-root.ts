import { lstatSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { toIsoTime } from "../../../shared/clock.ts";
import { Slices } from "../../files/slices.ts";
import { RetrievalFailure, SidecarDamaged, toRetrievalError } from "../failures.ts";
import { INDEX_SLICE_MS } from "../limits.ts";
import type { IndexStep, RetrievalRoot, RootCounts } from "../retrieval.ts";
import { upsertFailure } from "../sidecar/failure-store.ts";
import { makeSidecarFolder, SIDECAR_FILE } from "../sidecar/folder.ts";
import { holdRunLock } from "../sidecar/locks.ts";
import { purge, upsertMeta } from "../sidecar/meta-store.ts";
import { openIndexFile, setAside } from "./index-file.ts";
import { currentStamp, type IndexDeps, type IndexRun } from "./index-run.ts";
import { readFiles } from "./read-files.ts";

/**
 * Updates the index of a root. One run at a time for a root: see `holdRunLock`, and `index` of the worker.
 * @throws RetrievalFailure; commits before it stay.
 */
export async function indexRoot(root: RetrievalRoot, deps: IndexDeps): Promise<RootCounts> {
  try {
    return await runOnce(root, deps);
  } catch (error) {
    const failure = toRetrievalError(error);
    if (!(failure instanceof SidecarDamaged)) throw failure;
    // The damage was found after opening: retry with an empty index.
    const path = join(makeSidecarFolder(root.path), SIDECAR_FILE);
    await setAside(path, { ...deps, nowMs: deps.now() });
    return await runOnce(root, deps).catch((again) => {
      throw toRetrievalError(again);
    });
  }
}

async function runOnce(root: RetrievalRoot, deps: IndexDeps): Promise<RootCounts> {
  const realRoot = realPathOf(root.path);
  const folder = makeSidecarFolder(root.path);
  const files: IndexRun["files"] = { done: 0, total: null };
  const report = (step: IndexStep) =>
    deps.report({ ...step, filesDone: files.done, filesTotal: files.total });
  report({ phase: "waiting", done: 0, total: null });
  using _lock = await holdRunLock(folder, { signal: deps.signal, nowMs: deps.now() });
  const startedMs = deps.now();
  const { signature } = deps.embedder;
  using target = await openIndexFile({ ...deps, folder, signature, nowMs: startedMs });
  const run: IndexRun = {
    ...deps,
    root,
    realRoot,
    rootDevice: statSync(realRoot, { bigint: true }).dev,
    sidecar: target.sidecar,
    startedMs,
    counts: { indexed: 0, unchanged: 0, skipped: 0, errors: 0, removed: 0 },
    files,
    report,
    slices: new Slices({ sliceMs: INDEX_SLICE_MS, signal: deps.signal }),
  };
  rememberHung(run);
  await readFiles(run);
  await run.embedder.finish(run);
  purge(run.sidecar);
  run.sidecar.write(() => upsertMeta(run.sidecar, "indexed_at", toIsoTime(deps.now())));
  await target.finish();
  return run.counts;
}

// Stored first, so that the next run skips them even if this one is killed.
function rememberHung({ realRoot, sidecar, hung }: IndexRun): void {
  if (hung.length === 0) return;
  sidecar.write(() => {
    for (const path of hung) {
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
