import type { Clock } from "../../shared/clock.ts";
import type { Timers } from "../../shared/timers.ts";
import type { HashLine } from "./hash-line.ts";
import { HasherBusy } from "./hasher.ts";

/** How a paced line is bounded. */
export interface PaceOptions {
  clock: Clock;
  timers: Timers;
  /** Between the beginnings of two hashes, at least. Time may stand still during a hash. */
  intervalMs: number;
  /** Between the end of a hash and the next one, at least. */
  restMs: number;
  waitingMax: number;
  waitingPerNetworkMax: number;
  /** After this time in the line a request is refused. */
  waitMsMax: number;
}

/**
 * For a runtime whose hash stops everything else: one hash at a time, with a rest in which other requests run. Each request
 * waits on a timer of its own, never for another request: workerd does not allow that. A request that was cancelled leaves a
 * place that expires.
 */
export function createPacedLine(options: PaceOptions): HashLine {
  const { clock, timers, intervalMs, restMs } = options;
  const waiting = new Set<{ network: string; endsAtMs: number }>();
  let freeAtMs = 0;

  function requirePlace(network: string): void {
    for (const place of waiting) if (place.endsAtMs <= clock.now()) waiting.delete(place);
    const own = [...waiting].filter((place) => place.network === network);
    if (waiting.size >= options.waitingMax || own.length >= options.waitingPerNetworkMax) {
      throw new HasherBusy("Too many passwords are being checked.");
    }
  }

  async function wait(network: string): Promise<void> {
    requirePlace(network);
    const place = { network, endsAtMs: clock.now() + options.waitMsMax };
    waiting.add(place);
    for (let now = clock.now(); now < freeAtMs; now = clock.now()) {
      if (now >= place.endsAtMs) throw new HasherBusy("A password waited for too long.");
      const delayMs = Math.min(freeAtMs, place.endsAtMs) - now;
      await new Promise<void>((resolve) => timers.after(delayMs, resolve));
    }
    waiting.delete(place);
    claim();
  }

  // In the tick that found the line free: other timers may fire in the same turn.
  function claim(): void {
    freeAtMs = clock.now() + intervalMs;
  }

  function rest(): void {
    freeAtMs = Math.max(freeAtMs, clock.now() + restMs);
  }

  return {
    async run(network, work) {
      if (clock.now() < freeAtMs) await wait(network);
      else claim();
      const result = work();
      // A synchronous hash is done here.
      rest();
      try {
        return await result;
      } finally {
        rest();
      }
    },
  };
}
