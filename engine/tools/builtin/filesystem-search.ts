import { lstat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { FILE_SEARCH_VISITS_MAX } from "../../files/limits.ts";
import { isWithin, type Judge } from "../../files/protected.ts";
import { isEngineFolder } from "../../files/relative-path.ts";
import { Slices } from "../../files/slices.ts";
import { walkFolders } from "../../files/walk.ts";
import { hold, holdReal } from "./held-path.ts";

interface NameSearch {
  folder: string;
  query: string;
  limit: number;
  /** Real paths of the folders to leave out. */
  without: readonly string[];
  /** Whether a real path is left out with all below it. */
  withholds(path: string): boolean;
}

/**
 * Files and folders below a folder whose name contains the query, ignoring case, nearest first. Reads a bounded number of
 * names and follows no links.
 * @throws the signal's reason; EngineError if the folder cannot be read
 */
export async function searchNames(judge: Judge, search: NameSearch, signal: AbortSignal) {
  await using top = await hold(judge, search.folder);
  const { found, complete } = await findNames(top.realPath, search, signal);
  const paths: string[] = [];
  for (const path of found) if (await isReallyThere(judge, path)) paths.push(path);
  return { paths, complete };
}

async function findNames(top: string, search: NameSearch, signal: AbortSignal) {
  const wanted = search.query.toLowerCase();
  const found: string[] = [];
  const slices = new Slices();
  let visits = 0;
  const enters = (name: string, path: string) =>
    !isEngineFolder(name) &&
    !search.withholds(join(top, path)) &&
    !search.without.some((place) => isWithin(place, join(top, path)));
  for await (const { path, entries = [] } of walkFolders({ path: top }, { enters, signal })) {
    for (const entry of entries) {
      const pause = slices.step();
      if (pause) await pause;
      visits += 1;
      if (entry.isDirectory() && isEngineFolder(entry.name)) continue;
      const place = join(top, path, entry.name);
      if (entry.name.toLowerCase().includes(wanted) && !search.withholds(place)) found.push(place);
      const isEnough = found.length >= search.limit;
      if (isEnough || visits >= FILE_SEARCH_VISITS_MAX) return { found, complete: false };
    }
  }
  return { found, complete: true };
}

/** A walk may read a folder that was replaced by a link for a moment: such names are left out. */
async function isReallyThere(judge: Judge, path: string): Promise<boolean> {
  try {
    await using folder = await holdReal(judge, dirname(path));
    await lstat(`${folder.address}/${basename(path)}`);
    return true;
  } catch {
    return false;
  }
}
