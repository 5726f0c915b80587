import type { Clock } from "../../shared/clock.ts";

/** The clock in unix seconds, as the tables keep it. */
export function unixNow(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}
