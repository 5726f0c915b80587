import { dirname } from "node:path/posix";
import { FILE_SEARCH_LIMIT_MAX, FILE_SEARCH_LIMIT_MIN } from "./limits.ts";
import { createRanking, type Ranking } from "./ranking.ts";
import { Slices } from "./slices.ts";
import { type SearchedRoot, visitFiles } from "./visit.ts";
import type { FileSearchMatch } from "./wire.ts";
import { judgeChild, statRegularFile, withFolder } from "./within.ts";

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

/**
 * Keeps the regular files that their root reaches without a link, in their order. Drops deleted files, and those that the
 * walk read through a momentary link.
 */
async function confirmFiles(
  roots: readonly SearchedRoot[],
  matches: readonly FileSearchMatch[],
): Promise<FileSearchMatch[]> {
  const folders = Map.groupBy(
    matches,
    ({ rootIndex, relativePath }) => `${rootIndex}/${dirname(relativePath)}`,
  );
  const found = [...folders.values()].map((together) => confirmInFolder(roots, together));
  const confirmed = new Set((await Promise.all(found)).flat());
  return matches.filter((match) => confirmed.has(match));
}

/** Confirms the files of one folder, which is opened once. */
async function confirmInFolder(
  roots: readonly SearchedRoot[],
  matches: readonly FileSearchMatch[],
): Promise<readonly FileSearchMatch[]> {
  const root = roots.find(({ rootIndex }) => rootIndex === matches[0]?.rootIndex);
  const folder = matches[0]?.relativePath.split("/").slice(0, -1);
  if (!root || !folder) return [];
  try {
    return await withFolder(root, folder, async (held) => {
      const looks = await Promise.allSettled(
        matches.map(async ({ name }) => {
          const identity = await statRegularFile(held, name);
          await judgeChild(root, held, { name, identity });
        }),
      );
      return matches.filter((_, at) => looks[at]?.status === "fulfilled");
    });
  } catch {
    // A folder that cannot be used has no files to return.
    return [];
  }
}
