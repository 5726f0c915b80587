import { confirmFiles, type SearchedRoot } from "./confirm.ts";
import { FILE_SEARCH_LIMIT_MAX, FILE_SEARCH_LIMIT_MIN } from "./limits.ts";
import { createRanking, type Ranking } from "./ranking.ts";
import { Slices } from "./slices.ts";
import { visitFiles } from "./visit.ts";
import type { FileSearchMatch } from "./wire.ts";

interface FileSearch {
  /** Matched ignoring case; an empty one matches every file. */
  query: string;
  /** Clamped to 1..50. */
  limit: number;
}

/**
 * Files of all roots whose relative path contains the query, best first: exact name, start of the name, part of the
 * name, part of the path; then by path. Unusable roots are left out.
 * @throws the signal's reason.
 */
export async function searchFiles(
  roots: readonly SearchedRoot[],
  { query, limit }: FileSearch,
  signal?: AbortSignal,
): Promise<FileSearchMatch[]> {
  const count = Math.min(Math.max(limit, FILE_SEARCH_LIMIT_MIN), FILE_SEARCH_LIMIT_MAX);
  const ranking = createRanking(query, count);
  for (const root of roots) await rankFiles(root, ranking, signal);
  return confirmFiles(roots, ranking.best());
}

async function rankFiles(
  root: SearchedRoot,
  ranking: Ranking,
  signal?: AbortSignal,
): Promise<void> {
  const slices = new Slices();
  for await (const { path, names } of visitFiles(root, { signal })) {
    const rank = ranking.inFolder(root.rootIndex, path);
    for (const name of names) {
      rank(name);
      const pause = slices.step();
      if (pause) await pause;
    }
  }
}
