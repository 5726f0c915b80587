import { TEXT_FILE_BYTES_MAX } from "../../files/limits.ts";
import type { Slices } from "../../files/slices.ts";
import { readFileWithin } from "../../files/within-sync.ts";
import { documentKindOf } from "../documents/document-kind.ts";
import { isMinified } from "../ignored.ts";
import { WATCH_FILES_READ_MAX } from "../limits.ts";
import type { Relevance } from "../retrieval.ts";
import type { Sidecar } from "../sidecar/sidecar.ts";
import { decodeText } from "../text/decode.ts";
import type { FileInWork } from "./file-in-work.ts";
import { meetPaths } from "./meet-paths.ts";
import type { WalkOptions } from "./walk.ts";

/** What judges changes of a root. */
interface Judging {
  root: string;
  realRoot: string;
  sidecar: Sidecar;
  walk: WalkOptions;
  inWork: FileInWork;
  slices: Slices;
}

/**
 * Whether an index run would find something to do about changed paths, so that a file that the index leaves out does not
 * cause a run whenever it changes.
 */
export async function judgeChanges(judging: Judging, paths: readonly string[]): Promise<Relevance> {
  const ignored: string[] = [];
  let read = 0;
  for (const { path, kind } of meetPaths(judging.realRoot, paths, judging.walk)) {
    await judging.slices.rest();
    if (kind === "hidden") ignored.push(path);
    if (kind === "file") read += 1;
    const isNew =
      kind === "folder" ||
      kind === "sensitive" ||
      (kind === "file" && (read > WATCH_FILES_READ_MAX || mayBecomeDocument(judging, path)));
    if (isNew || knowsPath(judging.sidecar, path)) return { isRelevant: true, ignored };
  }
  return { isRelevant: false, ignored };
}

/** Whether a file is worth a run. Binary and large files change often where a program works with them. */
function mayBecomeDocument({ root, realRoot, inWork }: Judging, path: string): boolean {
  if (documentKindOf(path) !== undefined) return true;
  using _ = inWork.enter(root, path);
  const read = readFileWithin(realRoot, path, TEXT_FILE_BYTES_MAX);
  // What cannot be read is a failure that the run records.
  if (read.kind !== "bytes") return read.kind === "unreadable";
  const text = decodeText(read.bytes);
  return text !== undefined && !isMinified(path, text);
}

/** Whether the index has a document or a failure at a path, or below it. */
function knowsPath(sidecar: Sidecar, path: string): boolean {
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
