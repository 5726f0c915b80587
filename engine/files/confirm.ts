import type { Root } from "../workspaces/roots.ts";
import type { FileSearchMatch } from "./wire.ts";
import { type FileRoot, judgeChild, statRegularFile, withFolder } from "./within.ts";

/** A root of a search; files that its judge refuses are left out. */
export type SearchedRoot = Root & FileRoot;

/**
 * Keeps the regular files that their root reaches without a link, in their order. Drops deleted files, and those that the
 * walk read through a momentary link.
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

/** Confirms the files of one folder, which is opened once. */
async function confirmInFolder(
  root: SearchedRoot,
  matches: readonly FileSearchMatch[],
): Promise<FileSearchMatch[]> {
  const folder = matches[0] ? folderOf(matches[0]) : "";
  try {
    return await withFolder(root, folder === "" ? [] : folder.split("/"), async (held) => {
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
