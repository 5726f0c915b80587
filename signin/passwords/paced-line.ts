import type { Clock } from "../../shared/clock.ts";
import type { Timers } from "../../shared/timers.ts";
import type { HashLine } from "./hash-line.ts";
import { HasherBusy } from "./hasher.ts";

/** How a paced line is bounded. */
export interface PaceOptions {
  clock: Clock;
  timers: Timers;
  /** Between the beginnings of two hashes. */
  intervalMs: number;
  waitingMax: number;
  waitingPerNetworkMax: number;
}

/**
 * For a runtime whose hash stops everything else: hashes begin at intervals, and other requests run in between. Each
 * request waits for a time of its own, never for another request: workerd does not allow that. A request that was cancelled
 * leaves its time unused, and nothing else behind.
 */
export function createPacedLine(options: PaceOptions): HashLine {
  const { clock, timers, intervalMs, waitingMax, waitingPerNetworkMax } = options;
  let booked: { network: string; atMs: number }[] = [];
  let nextMs = 0;
  return {
    async run(network, work) {
      const nowMs = clock.now();
      booked = booked.filter(({ atMs }) => atMs > nowMs);
      const own = booked.filter((other) => other.network === network);
      const atMs = Math.max(nowMs, nextMs);
      const mustWait = atMs > nowMs;
      if (mustWait && (booked.length >= waitingMax || own.length >= waitingPerNetworkMax)) {
        throw new HasherBusy("Too many passwords are being checked.");
      }
      nextMs = atMs + intervalMs;
      if (mustWait) {
        booked.push({ network, atMs });
        await new Promise<void>((resolve) => timers.after(atMs - nowMs, resolve));
      }
      return work();
    },
  };
}
