import type { Dirent } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "../errors.ts";
import type { Root } from "../workspaces/roots.ts";
import { FILE_SEARCH_ENTRIES_MAX, FILE_SEARCH_VISITS_MAX } from "./limits.ts";
import { isWithin } from "./protected.ts";
import { SKIPPED_FOLDERS } from "./skipped-folders.ts";
import { Slices, sortInSlices } from "./slices.ts";
import { walkFolders } from "./walk.ts";
import type { FileRoot } from "./within.ts";

/** A root of a search; files that its judge refuses are left out. */
export type SearchedRoot = Root & FileRoot;

interface VisitedFiles {
  path: string;
  names: readonly string[];
}

interface VisitOptions {
  signal?: AbortSignal | undefined;
  visitsMax?: number;
  entriesMax?: number;
}

/**
 * The regular files of a search. Each is one visit, matched or not. The limit of visits per root ends the walk; of the last
 * folder the first names are taken.
 */
export async function* visitFiles(
  root: SearchedRoot,
  {
    signal,
    visitsMax = FILE_SEARCH_VISITS_MAX,
    entriesMax = FILE_SEARCH_ENTRIES_MAX,
  }: VisitOptions = {},
): AsyncGenerator<VisitedFiles> {
  const top = root.without ? await realpath(root.path).catch(() => root.path) : root.path;
  if (root.without?.some((place) => isWithin(place, top))) return;
  const enters = (name: string, path: string) =>
    !SKIPPED_FOLDERS.has(name) && !root.without?.includes(join(top, path));
  const slices = new Slices();
  let visitsLeft = visitsMax;
  let entriesLeft = entriesMax;
  const folders = walkFolders(root, { enters, signal });
  try {
    for await (const { path, entries = [] } of folders) {
      const read = entries.length > entriesLeft ? entries.slice(0, entriesLeft) : entries;
      entriesLeft -= read.length;
      const names = await firstOf(await fileNames(read, slices), visitsLeft);
      visitsLeft -= names.length;
      yield { path, names };
      if (visitsLeft === 0 || entriesLeft === 0) return;
    }
  } catch (error) {
    // Leaves out a root that was deleted meanwhile or cannot be read.
    if (!(error instanceof EngineError)) throw error;
  }
}

async function fileNames(entries: readonly Dirent[], slices: Slices): Promise<string[]> {
  const names: string[] = [];
  for (const entry of entries) {
    const pause = slices.step();
    if (pause) await pause;
    if (entry.isFile()) names.push(entry.name);
  }
  return names;
}

async function firstOf(names: string[], countMax: number): Promise<string[]> {
  if (names.length <= countMax) return names;
  const sorted = await sortInSlices(names, (one, other) => (one < other ? -1 : 1));
  return sorted.slice(0, countMax);
}
