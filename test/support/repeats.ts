/** How often something runs in `npm test`, and in `npm run test:long`. */
export interface Counts {
  once: number;
  long: number;
}

/** Whether this is a long run: `npm run test:long` sets `TEST_LONG=1`, and runs the files that import this module. */
export const isLongRun = process.env.TEST_LONG === "1";

/** The count of this run. */
export function repeats({ once, long }: Counts): number {
  return isLongRun ? long : once;
}

/** The numbers of the rounds from 0 on. A long run prints a line after each tenth of them, such as `kills: 40 of 100`. */
export function* rounds(what: string, counts: Counts): Generator<number> {
  const count = repeats(counts);
  for (let round = 0; round < count; round += 1) {
    yield round;
    showProgress(what, round + 1, count);
  }
}

/** The line of a long run for a loop of its own. Only each tenth of the count prints it. */
export function showProgress(what: string, done: number, count: number): void {
  if (isLongRun && (done === count || done % Math.ceil(count / 10) === 0)) {
    console.log(`${what}: ${done} of ${count}`);
  }
}
