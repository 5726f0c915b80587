/** The time, as a dependency: tests hand in one that they move themselves. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** ISO-8601 UTC with milliseconds and `Z`: the only form in which a time travels (Engine §2, wire conventions 4). */
export function toIsoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
