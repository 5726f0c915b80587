import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { Slices } from "../../files/slices.ts";
import { walkFolders } from "../../files/walk.ts";
import { FILE_SEARCH_VISITS_MAX } from "../../limits.ts";
import { isWithin } from "./protected-paths.ts";

export interface NameSearch {
  folder: string;
  query: string;
  limit: number;
  /** Folders that are left out, called by their real paths. */
  without: readonly string[];
}

/**
 * Files and folders below a folder whose name has the query in it, without case, the nearest first. Looks at a bounded
 * number of names and follows no links.
 * @throws the signal's reason; EngineError where the folder cannot be read
 */
export async function searchNames(search: NameSearch, signal: AbortSignal) {
  const top = await realpath(search.folder);
  const wanted = search.query.toLowerCase();
  const found: string[] = [];
  const slices = new Slices();
  let visits = 0;
  const enters = (_name: string, path: string) =>
    !search.without.some((place) => isWithin(place, join(top, path)));
  for await (const { path, entries = [] } of walkFolders({ path: top }, { enters, signal })) {
    for (const entry of entries) {
      const pause = slices.step();
      if (pause) await pause;
      visits += 1;
      if (entry.name.toLowerCase().includes(wanted)) found.push(join(top, path, entry.name));
      const isEnough = found.length >= search.limit;
      if (isEnough || visits >= FILE_SEARCH_VISITS_MAX) return { paths: found, complete: false };
    }
  }
  return { paths: found, complete: true };
}
