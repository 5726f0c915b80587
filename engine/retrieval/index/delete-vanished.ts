import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { INDEX_BATCH_FILES } from "../limits.ts";
import { type DocumentRow, deleteDocument } from "../sidecar/document-store.ts";
import { bumpGeneration, findMeta, upsertMeta } from "../sidecar/meta-store.ts";
import type { IndexRun } from "./index-run.ts";

interface Walked {
  known: ReadonlyMap<string, DocumentRow>;
  /** The documents that stay. */
  seen: ReadonlySet<string>;
  /** Files that exist but are no documents any more; already counted. */
  skipped: ReadonlySet<string>;
  /** Folders that could not be read; each ends in `/`, the root is empty. */
  unreadable: ReadonlySet<string>;
}

/**
 * Deletes the documents of missing files. Documents below an unreadable folder or an unmounted disk stay and count as
 * errors: an empty mount must not empty the index (decision E-RAG-19).
 */
export async function deleteVanished(run: IndexRun, walked: Walked): Promise<void> {
  const { sidecar, counts } = run;
  const device = String(run.rootDevice);
  const moved = (findMeta(sidecar, "device") ?? device) !== device;
  const missing = [...walked.known.values()].filter(({ path }) => !walked.seen.has(path));
  if (moved && missing.length > 0 && walked.seen.size === 0) {
    counts.errors += 1;
    return;
  }
  const unmounted = new Set<string>();
  const vanished = missing.filter((document) => {
    if (isBelow(document.path, walked.unreadable)) return false;
    const folder = unmountedFolder(run, document);
    if (folder !== undefined) unmounted.add(folder);
    return folder === undefined;
  });
  counts.errors += unmounted.size;
  for (let at = 0; at < vanished.length; at += INDEX_BATCH_FILES) {
    const some = vanished.slice(at, at + INDEX_BATCH_FILES);
    sidecar.write(() => {
      for (const { path } of some) deleteDocument(sidecar, path);
      bumpGeneration(sidecar);
    });
    await run.slices.rest();
  }
  counts.removed = vanished.filter(({ path }) => !walked.skipped.has(path)).length;
  if (moved || findMeta(sidecar, "device") === undefined) {
    sidecar.write(() => upsertMeta(sidecar, "device", device));
  }
}

/** Whether a path is in one of these folders; each ends in `/`, the root is empty. */
export function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  if (folders.has("")) return true;
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
    if (folders.has(path.slice(0, at + 1))) return true;
  }
  return false;
}

// An unmounted disk: the document was on another device, and its folder is on the root's device now.
function unmountedFolder(run: IndexRun, { path, device }: DocumentRow): string | undefined {
  if (device === null) return undefined;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const stats = lstatSync(join(run.realRoot, folder), { bigint: true, throwIfNoEntry: false });
    if (stats) return stats.dev === run.rootDevice ? folder : undefined;
    if (folder === ".") return undefined;
  }
}
