/** How many files an index run had done when it was first seen, and how many it has done now. */
export interface SeenRun {
  first: { atMs: number; filesDone: number };
  last: { atMs: number; filesDone: number };
}

// The first files say little about a run.
const MEASURED_MS_MIN = 1_500;

/** A run with what is done now; a count that falls is that of a new run. */
export function seeRun(run: SeenRun | undefined, now: SeenRun["last"]): SeenRun {
  const isNew = !run || now.filesDone < run.last.filesDone;
  return { first: isNew ? now : run.first, last: now };
}

/** How fast a run goes, and how long it still takes if the total is known; undefined at its beginning. */
export function rateOf(run: SeenRun | undefined, filesTotal: number | null) {
  if (!run) return undefined;
  const { first, last } = run;
  const ms = last.atMs - first.atMs;
  const filesPerSecond = ((last.filesDone - first.filesDone) * 1000) / ms;
  if (ms < MEASURED_MS_MIN || filesPerSecond <= 0) return undefined;
  if (filesTotal === null) return { filesPerSecond, leftMs: undefined };
  const left = Math.max(0, filesTotal - last.filesDone);
  return { filesPerSecond, leftMs: (left / filesPerSecond) * 1000 };
}
