import { realpathSync } from "node:fs";
import { TEXT_FILE_BYTES_MAX } from "../../files/limits.ts";
import { Slices } from "../../files/slices.ts";
import { readFileWithin } from "../../files/within-sync.ts";
import { documentKindOf } from "../documents/document-kind.ts";
import { isMinified } from "../ignored.ts";
import { INDEX_SLICE_MS, WATCH_FILES_READ_MAX } from "../limits.ts";
import type { Relevance } from "../retrieval.ts";
import { findFailure } from "../sidecar/failure-store.ts";
import type { Sidecar } from "../sidecar/sidecar.ts";
import { decodeText } from "../text/decode.ts";
import type { IndexHeartbeat } from "./index-heartbeat.ts";
import { currentStamp } from "./index-run.ts";
import { walkFolders } from "./walk.ts";

/** A root whose changes are checked. */
interface ChangeCheck {
  root: string;
  sidecar: Sidecar;
  /** The real path of the engine's own data directory. */
  without: string | undefined;
  heartbeat: IndexHeartbeat;
  signal: AbortSignal;
}

/**
 * Whether an index run would find something to do about changed paths. A change of a file that the index leaves out causes no
 * run.
 */
export async function checkChanges(
  check: ChangeCheck,
  paths: readonly string[],
): Promise<Relevance> {
  const { root, sidecar, without, heartbeat, signal } = check;
  const slices = new Slices({ sliceMs: INDEX_SLICE_MS, signal });
  const realRoot = realpathSync.native(root);
  const changed = new Set(paths.map((path) => path.replace(/\/$/, "")));
  const hidden = new Set<string>();
  let read = 0;
  const walk = walkFolders(realRoot, {
    without,
    only: new Set([...changed].flatMap((path) => [path, ...foldersOf(path)])),
    onTooManyRules() {},
    mark: (file) => heartbeat.enter(root, file),
    hasFailed: (file, stats) => findFailure(sidecar, file)?.stamp === currentStamp(stats),
  });
  for (const entry of walk) {
    await slices.rest();
    if (entry.kind === "skipped") continue;
    if (changed.has(entry.path.slice(0, -1))) return RELEVANT;
    if (entry.kind === "unreadable") continue;
    for (const path of entry.hidden) hidden.add(path);
    for (const { name, path, sensitive } of entry.files) {
      if (!entry.held.stat(name)?.isFile()) continue;
      read += 1;
      if (sensitive || read > WATCH_FILES_READ_MAX) return RELEVANT;
      using _ = heartbeat.enter(root, path);
      if (mayBecomeDocument(realRoot, path)) return RELEVANT;
    }
  }
  if ([...changed].some((path) => hasPath(sidecar, path))) return RELEVANT;
  const isHidden = (path: string) => [path, ...foldersOf(path)].some((it) => hidden.has(it));
  return { isRelevant: false, ignored: [...changed].filter(isHidden) };
}

/** An index run is worth it. */
export const RELEVANT: Relevance = { isRelevant: true, ignored: [] };

/** The folders above a path, which end in `/`. */
function foldersOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1));
}

/** Whether a file is worth a run. Binary and large files change often where a program works with them. */
function mayBecomeDocument(realRoot: string, path: string): boolean {
  if (documentKindOf(path) !== undefined) return true;
  const read = readFileWithin(realRoot, path, TEXT_FILE_BYTES_MAX);
  // The run records an unreadable file as a failure.
  if (read.kind !== "bytes") return read.kind === "unreadable";
  const text = decodeText(read.bytes);
  return text !== undefined && !isMinified(path, text);
}

/** Whether the index has a document or a failure at a path, or below it. */
function hasPath(sidecar: Sidecar, path: string): boolean {
  // "0" is the character after "/".
  const values = [path, `${path}/`, `${path}0`];
  return ["document", "failure"].some(
    (table) =>
      sidecar.get(
        `SELECT 1 FROM ${table} WHERE path = ? OR (path >= ? AND path < ?) LIMIT 1`,
        values,
      ) !== undefined,
  );
}
