import assert from "node:assert/strict";

/** A regular expression that recheck cannot decide. */
export interface UndecidedExpression {
  /** As it is written. */
  text: string;
  expression: RegExp;
  /** What its input never exceeds. */
  charactersMax: number;
  /** Texts of a length that are hard for it. */
  attacks: readonly ((characters: number) => string)[];
}

/** Each has a bound on its input, and its growth is measured up to that bound. None at present. */
export const UNDECIDED: readonly UndecidedExpression[] = [];

const GROWTH_MAX = 3;
const MEASURED_MS = 20;
const RUNS = 5;

/** @throws AssertionError where an input twice as long takes more than three times as long */
export function assertLinear({ text, expression, charactersMax, attacks }: UndecidedExpression) {
  for (const attack of attacks) {
    const whole = costMs(expression, attack(charactersMax));
    const half = costMs(expression, attack(charactersMax / 2));
    assert.ok(whole <= half * GROWTH_MAX, `${text}: ${half} ms, twice as long ${whole} ms`);
  }
}

/** The median of the processor time of one search; each run repeats it until the clock can measure it. */
function costMs(expression: RegExp, text: string): number {
  const costs = Array.from({ length: RUNS }, () => {
    let searches = 0;
    const start = process.cpuUsage();
    for (;;) {
      text.search(expression);
      searches += 1;
      const { user, system } = process.cpuUsage(start);
      const spentMs = (user + system) / 1000;
      if (spentMs >= MEASURED_MS) return spentMs / searches;
    }
  });
  return costs.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0;
}
