import { isAddressable, joinPath } from "./relative-path.ts";
import type { FileSearchMatch } from "./wire.ts";

/** The best matches of a query so far, up to the limit. */
export interface Ranking {
  /** Ranks the names of one folder, whose path is relative to its root. */
  inFolder(rootIndex: number, folder: string): (name: string) => void;
  /** Best first. */
  best(): FileSearchMatch[];
}

// Smaller is better.
const EXACT_NAME = 0;
const NAME_START = 1;
const NAME_PART = 2;
const PATH_PART = 3;

interface RankedMatch extends FileSearchMatch {
  rank: number;
  /** The path in lower case: the sort key. */
  key: string;
}

/** Holds no more matches than the limit, so that 25,000 matches cost no more memory than fifty. */
export function createRanking(query: string, count: number): Ranking {
  const wanted = query.toLowerCase();
  const best: RankedMatch[] = [];
  return {
    inFolder(rootIndex, folder) {
      const folderKey = folder === "" ? "" : `${folder.toLowerCase()}/`;
      const folderMatches = folderKey.includes(wanted);
      // Only a query with a separator can match across the end of the folder's path.
      const seamPossible = wanted.includes("/") && folderKey !== "";
      return (name) => {
        const nameKey = name.toLowerCase();
        let rank = rankOfName(nameKey, wanted);
        if (rank === undefined) {
          const matches = folderMatches || (seamPossible && (folderKey + nameKey).includes(wanted));
          if (!matches) return;
          rank = PATH_PART;
        }
        const worst = best.length < count ? undefined : best.at(-1);
        if (worst && rank > worst.rank) return;
        const match = { rank, key: folderKey + nameKey, rootIndex, name, relativePath: "" };
        if (worst && rank === worst.rank && match.key > worst.key) return;
        // Checked last, since it holds for nearly every name.
        if (!isAddressable(name)) return;
        const found = { ...match, relativePath: joinPath(folder, name) };
        const place = best.findIndex((other) => compare(found, other) < 0);
        best.splice(place < 0 ? best.length : place, 0, found);
        if (best.length > count) best.pop();
      };
    },
    best: () =>
      best.map(({ rootIndex, name, relativePath }) => ({ rootIndex, name, relativePath })),
  };
}

function rankOfName(nameKey: string, wanted: string): number | undefined {
  const at = nameKey.indexOf(wanted);
  if (at < 0) return undefined;
  // Every name matches an empty query equally.
  if (wanted === "" || at > 0) return NAME_PART;
  return nameKey.length === wanted.length ? EXACT_NAME : NAME_START;
}

function compare(one: RankedMatch, other: RankedMatch): number {
  if (one.rank !== other.rank) return one.rank - other.rank;
  if (one.key !== other.key) return one.key < other.key ? -1 : 1;
  if (one.relativePath !== other.relativePath)
    return one.relativePath < other.relativePath ? -1 : 1;
  return one.rootIndex - other.rootIndex;
}
