/** The tab that a key leads to: arrow keys go round, Home and End to an edge. Undefined for every other key. */
export function nextTab(
  names: readonly string[],
  current: string,
  key: string,
): string | undefined {
  const at = names.indexOf(current);
  if (key === "ArrowRight") return names[(at + 1) % names.length];
  if (key === "ArrowLeft") return names.at(at <= 0 ? -1 : at - 1);
  if (key === "Home") return names[0];
  if (key === "End") return names.at(-1);
  return undefined;
}
