import { type Clock, toIsoTime } from "../../shared/clock.ts";

/** The clock in unix seconds, as the tables keep it. */
export function unixNow(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}

/** A stored time as it travels, in ISO-8601. */
export function toTime(unixSeconds: number): string {
  return toIsoTime(unixSeconds * 1000);
}

export function toTimeOrNull(unixSeconds: number | null): string | null {
  return unixSeconds === null ? null : toTime(unixSeconds);
}
