import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { collectGarbage } from "../../../shared/node/collect-garbage.ts";
import { SidecarDamaged, toRetrievalError } from "../failures.ts";
import { hasSidecarFile, makeSidecarFile, NEXT_FILE, SIDECAR_FILE } from "../sidecar/folder.ts";
import { findMeta, upsertMeta } from "../sidecar/meta-store.ts";
import { hasStrayBeside, putAside } from "../sidecar/own-indexes.ts";
import { openSidecar, type Sidecar } from "../sidecar/sidecar.ts";
import type { IndexDeps } from "./index-run.ts";

/** The index that a run writes to. */
export interface IndexFile extends Disposable {
  sidecar: Sidecar;
  /** Replaces an unusable index by the finished one. */
  finish(): Promise<void>;
}

/** `release` is called before the index is replaced or renamed: no other thread may have it open then. */
interface IndexFileDeps extends Pick<IndexDeps, "own" | "release"> {
  folder: string;
  signature: string;
  nowMs: number;
}

/**
 * The index of a root where its signature matches. Else a new one beside it, which replaces it when complete, so that an
 * aborted run loses nothing. A damaged index, and one that this engine did not make, is renamed.
 * @throws RetrievalFailure `conflict` if a newer engine wrote it.
 */
export async function openIndexFile(deps: IndexFileDeps): Promise<IndexFile> {
  const path = join(deps.folder, SIDECAR_FILE);
  const current = await openOrSetAside(path, deps);
  if (isOurs(current, deps.signature)) {
    sign(current, deps.signature);
    return {
      sidecar: current,
      async finish() {},
      [Symbol.dispose]: () => close(current, path, deps),
    };
  }
  close(current, path, deps);
  return openNext(deps);
}

async function openNext(deps: IndexFileDeps): Promise<IndexFile> {
  const path = join(deps.folder, NEXT_FILE);
  let sidecar = await openOrSetAside(path, deps);
  if (!isOurs(sidecar, deps.signature)) {
    sidecar[Symbol.dispose]();
    rmSync(path);
    sidecar = openOwn(path, deps);
  }
  sign(sidecar, deps.signature);
  return {
    sidecar,
    async finish() {
      sidecar[Symbol.dispose]();
      // Some systems cannot rename an open file, and libSQL closes one when its statements are collected.
      await deps.release();
      await collectGarbage();
      const target = join(deps.folder, SIDECAR_FILE);
      if (hasStrayBeside(target, false)) putAside(target, deps.nowMs);
      renameSync(path, target);
      deps.own.end(target);
      // A search may have opened the old index meanwhile.
      await deps.release();
    },
    [Symbol.dispose]: () => close(sidecar, path, deps),
  };
}

function close(sidecar: Sidecar, path: string, { own }: Pick<IndexFileDeps, "own">): void {
  sidecar[Symbol.dispose]();
  own.end(path);
}

// An index without a signature is new and can be used by any embedder.
function isOurs(sidecar: Sidecar, signature: string): boolean {
  const written = findMeta(sidecar, "signature");
  if (written === undefined) return true;
  return written === signature && findMeta(sidecar, "unicode") === (process.versions.unicode ?? "");
}

function sign(sidecar: Sidecar, signature: string): void {
  if (findMeta(sidecar, "signature") !== undefined) return;
  sidecar.write(() => {
    upsertMeta(sidecar, "signature", signature);
    upsertMeta(sidecar, "unicode", process.versions.unicode ?? "");
  });
}

async function openOrSetAside(path: string, deps: IndexFileDeps): Promise<Sidecar> {
  const isThere = hasSidecarFile(path);
  if (isThere ? !deps.own.has(path) : hasStrayBeside(path, false)) await setAside(path, deps);
  try {
    return openOwn(path, deps);
  } catch (error) {
    if (!(toRetrievalError(error) instanceof SidecarDamaged)) throw error;
    await setAside(path, deps);
    return openOwn(path, deps);
  }
}

/** Opens an index that is listed, or missing. */
function openOwn(path: string, { own }: Pick<IndexFileDeps, "own">): Sidecar {
  makeSidecarFile(path);
  own.begin(path);
  return openSidecar(path);
}

/** Renames an index that cannot be used, so that the next run starts with an empty one and no data is deleted. */
export async function setAside(
  path: string,
  { release, nowMs }: Pick<IndexFileDeps, "release" | "nowMs">,
): Promise<void> {
  await release();
  putAside(path, nowMs);
  await release();
}
