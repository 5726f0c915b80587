import { lstatSync } from "node:fs";
import { join } from "node:path";
import { collectGarbage } from "../../../shared/node/collect-garbage.ts";
import { identityKey } from "../../files/folder.ts";
import type { Embedder, LocalModel } from "../embedder.ts";
import { notOwn } from "../failures.ts";
import { SIDECAR_IDLE_MS, VECTOR_CACHE_BYTES_MAX } from "../limits.ts";
import { findSidecarFolder, hasSidecarFile, SIDECAR_FILE } from "../sidecar/folder.ts";
import { findMeta, findProfile, type IndexProfile } from "../sidecar/meta-store.ts";
import type { OwnIndexes } from "../sidecar/own-indexes.ts";
import { openExistingSidecar, type Sidecar } from "../sidecar/sidecar.ts";
import { loadVectors } from "../sidecar/vector-store.ts";
import { VectorIndex } from "./vector-index.ts";

/** The data of one generation of an index that search keeps in memory. */
interface Vectors {
  generation: string;
  index: VectorIndex;
  model: LocalModel | undefined;
  profile: IndexProfile | undefined;
}

interface OpenSidecar {
  sidecar: Sidecar;
  path: string;
  /** The file that was opened. */
  identity: string | undefined;
  timer: NodeJS.Timeout;
}

/** The open indexes of search. Each is closed after some idle seconds, since its file is in a user's folder. */
export class OpenSidecars implements Disposable {
  readonly #embedder: Pick<Embedder, "loadModel" | "parts" | "bits">;
  readonly #own: OwnIndexes;
  readonly #open = new Map<string, OpenSidecar>();
  readonly #vectors = new Map<string, Vectors>();

  constructor(embedder: Pick<Embedder, "loadModel" | "parts" | "bits">, own: OwnIndexes) {
    this.#embedder = embedder;
    this.#own = own;
  }

  /** Undefined if the root has no index. @throws as `notOwn`, `openExistingSidecar`, `hasSidecarFile`. */
  find(root: string): Sidecar | undefined {
    const open = this.#open.get(root);
    if (open) {
      open.timer.refresh();
      return open.sidecar;
    }
    const folder = findSidecarFolder(root);
    if (folder === undefined || !hasSidecarFile(join(folder, SIDECAR_FILE))) return undefined;
    const path = join(folder, SIDECAR_FILE);
    if (!this.#own.has(path)) throw notOwn();
    const identity = identityAt(path);
    const sidecar = openExistingSidecar(path);
    const timer = setTimeout(() => {
      this.close(root);
      void collectGarbage();
    }, SIDECAR_IDLE_MS);
    timer.unref();
    this.#open.set(root, { sidecar, path, identity, timer });
    return sidecar;
  }

  /** Closes indexes whose root was replaced, and those that may not be read any more. Call it before a request, never within one. */
  closeReplaced(): void {
    for (const [root, { path, identity }] of this.#open) {
      if (identityAt(path) !== identity || !this.#own.has(path)) this.drop(root);
    }
  }

  /** The vectors of a root. Loads them again after a change of the index. */
  vectorsOf(root: string, sidecar: Sidecar): Vectors {
    const generation = findMeta(sidecar, "generation") ?? "0";
    const known = this.#vectors.get(root);
    this.#vectors.delete(root);
    if (known?.generation === generation) {
      this.#vectors.set(root, known);
      return known;
    }
    const index = new VectorIndex(loadVectors(sidecar, this.#embedder.bits), this.#embedder.parts);
    const model = this.#embedder.loadModel(sidecar);
    const vectors = { generation, index, model, profile: findProfile(sidecar) };
    this.#vectors.set(root, vectors);
    this.#makeRoom();
    return vectors;
  }

  /** Closes the index of a root, so that it can be replaced. */
  close(root: string): void {
    const open = this.#open.get(root);
    if (!open) return;
    clearTimeout(open.timer);
    this.#open.delete(root);
    open.sidecar[Symbol.dispose]();
  }

  /** Drops the loaded vectors of a root, too. */
  drop(root: string): void {
    this.close(root);
    this.#vectors.delete(root);
  }

  [Symbol.dispose](): void {
    for (const root of [...this.#open.keys()]) this.drop(root);
  }

  // Drops the least recently used first; keeps the newest one of any size.
  #makeRoom(): void {
    let size = [...this.#vectors.values()].reduce((sum, { index }) => sum + index.sizeBytes, 0);
    for (const [root, { index }] of this.#vectors) {
      if (size <= VECTOR_CACHE_BYTES_MAX || this.#vectors.size === 1) return;
      this.#vectors.delete(root);
      size -= index.sizeBytes;
    }
  }
}

function identityAt(path: string): string | undefined {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats && identityKey(stats);
  } catch {
    // Its folder cannot be read any more.
    return undefined;
  }
}
