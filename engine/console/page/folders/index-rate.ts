/** How many files an index run had done at a time. */
export interface RateSample {
  atMs: number;
  filesDone: number;
}

/** How fast an index run goes. */
interface IndexRate {
  filesPerSecond: number;
  /** Milliseconds; undefined if the total is not known. */
  leftMs: number | undefined;
}

// Old samples say little about the files that the run has reached now.
const WINDOW_MS = 10_000;
// The first files say little about a run.
const MEASURED_MS_MIN = 1_500;

/** The samples of one run with a new one: those of the last seconds; a count that falls is that of a new run. */
export function addSample(samples: readonly RateSample[], next: RateSample): RateSample[] {
  const last = samples.at(-1);
  if (last && next.filesDone < last.filesDone) return [next];
  const kept = samples.filter(({ atMs }) => next.atMs - atMs <= WINDOW_MS);
  return [...kept, next];
}

/** The speed over the samples; undefined before there is one. */
export function rateOf(
  samples: readonly RateSample[],
  filesTotal: number | null,
): IndexRate | undefined {
  const [first] = samples;
  const last = samples.at(-1);
  if (
    !first ||
    !last ||
    last.atMs - first.atMs < MEASURED_MS_MIN ||
    last.filesDone <= first.filesDone
  ) {
    return undefined;
  }
  const filesPerSecond = ((last.filesDone - first.filesDone) * 1000) / (last.atMs - first.atMs);
  const left = filesTotal === null ? undefined : Math.max(0, filesTotal - last.filesDone);
  return {
    filesPerSecond,
    leftMs: left === undefined ? undefined : (left / filesPerSecond) * 1000,
  };
}
