import { SEARCH_SHOWN_LINES_MAX } from "./limits.ts";

/** The lines of a passage that hold most words of the query, with those between them; else its first lines. `at` counts from 0. */
export function matchingLines(content: string, query: string) {
  const words = new Set(query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu));
  const lines = content
    .split("\n")
    .map((text, at) => ({ at, text }))
    .filter(({ text }) => text.trim() !== "");
  const found = lines.map(({ text }) => {
    const lower = text.toLowerCase();
    return new Set([...words].filter((word) => lower.includes(word)));
  });
  let best = 0;
  let bestCount = 0;
  for (const from of lines.keys()) {
    const count = found
      .slice(from, from + SEARCH_SHOWN_LINES_MAX)
      .reduce((all, some) => all.union(some), new Set()).size;
    if (count <= bestCount) continue;
    best = from;
    bestCount = count;
  }
  return lines.slice(best, best + SEARCH_SHOWN_LINES_MAX);
}
