import type { Clock, Timers } from "../../shared/clock.ts";
import { type HashLine, knownPlaces } from "./hash-line.ts";
import { type HashClient, HasherBusy } from "./hasher.ts";

/** The bounds of a paced line. */
interface PaceOptions {
  clock: Clock;
  timers: Timers;
  /** The least time between the starts of two hashes. The clock may not move during a hash. */
  intervalMs: number;
  /** The least time between a hash and the next one. */
  restMs: number;
  waitingMax: number;
  waitingPerNetworkMax: number;
  /** After this time in the line a request is refused. */
  waitMsMax: number;
}

/**
 * For a runtime whose hash blocks the event loop: one hash at a time, with a pause for other requests. Each request waits on
 * its own timer, as workerd does not let it await another request. The place of a cancelled request expires.
 */
export function createPacedLine(options: PaceOptions): HashLine {
  const { clock, timers, intervalMs, restMs } = options;
  const waiting = new Set<{ network: string; endsAtMs: number }>();
  let freeAtMs = 0;

  function requirePlace({ network, isKnown }: HashClient): void {
    for (const place of waiting) if (place.endsAtMs <= clock.now()) waiting.delete(place);
    const own = [...waiting].filter((place) => place.network === network);
    const { waitingMax } = options;
    const max = isKnown ? waitingMax : waitingMax - knownPlaces(waitingMax);
    if (waiting.size >= max || own.length >= options.waitingPerNetworkMax) {
      throw new HasherBusy("Too many passwords are being checked.");
    }
  }

  async function wait(client: HashClient): Promise<void> {
    requirePlace(client);
    const place = { network: client.network, endsAtMs: clock.now() + options.waitMsMax };
    waiting.add(place);
    for (let now = clock.now(); now < freeAtMs; now = clock.now()) {
      if (now >= place.endsAtMs) throw new HasherBusy("A password waited too long.");
      const delayMs = Math.min(freeAtMs, place.endsAtMs) - now;
      await new Promise<void>((resolve) => timers.after(delayMs, resolve));
    }
    waiting.delete(place);
    claim();
  }

  // Called in the tick that found the line free: other timers may fire in the same turn.
  function claim(): void {
    freeAtMs = clock.now() + intervalMs;
  }

  function rest(): void {
    freeAtMs = Math.max(freeAtMs, clock.now() + restMs);
  }

  return {
    async run(client, work) {
      if (clock.now() < freeAtMs) await wait(client);
      else claim();
      const result = work();
      // A synchronous hash has ended here.
      rest();
      try {
        return await result;
      } finally {
        rest();
      }
    },
  };
}
