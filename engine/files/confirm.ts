import type { Root } from "../workspaces/roots.ts";
import type { FileSearchMatch } from "./wire.ts";
import { type FileRoot, statRegularFile, withFolder } from "./within.ts";

/** A root of a search; what its judge refuses is left out. */
export type SearchedRoot = Root & FileRoot;

/**
 * Which of these are regular files of their roots, reached without crossing a link; in the order given. What a walk read
 * through a link that was there for a moment is none, and what vanished since is none either.
 */
export async function confirmFiles(
  roots: readonly SearchedRoot[],
  matches: readonly FileSearchMatch[],
): Promise<FileSearchMatch[]> {
  const folders = Map.groupBy(matches, (match) => `${match.rootIndex}/${folderOf(match)}`);
  const confirmed = new Set<FileSearchMatch>();
  await Promise.all(
    [...folders.values()].map(async (together) => {
      const root = roots.find(({ rootIndex }) => rootIndex === together[0]?.rootIndex);
      if (!root) return;
      for (const match of await confirmInFolder(root, together)) confirmed.add(match);
    }),
  );
  return matches.filter((match) => confirmed.has(match));
}

function folderOf({ relativePath, name }: FileSearchMatch): string {
  return relativePath.slice(0, -name.length - 1);
}

/** All of one folder, which is opened once for them. */
async function confirmInFolder(
  root: SearchedRoot,
  matches: readonly FileSearchMatch[],
): Promise<FileSearchMatch[]> {
  const folder = matches[0] ? folderOf(matches[0]) : "";
  try {
    return await withFolder(root, folder === "" ? [] : folder.split("/"), async (held) => {
      const looks = await Promise.allSettled(
        matches.map(({ name }) => statRegularFile(held, name)),
      );
      return matches.filter((_, at) => looks[at]?.status === "fulfilled");
    });
  } catch {
    // A folder that cannot be used has no files to return.
    return [];
  }
}
