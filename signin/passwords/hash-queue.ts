import type { Clock, Timers } from "../../shared/clock.ts";
import { type HashClient, HasherBusy } from "./hasher.ts";

/** Decides when a hash may begin. */
export interface HashQueue {
  /** @throws HasherBusy if the queue is full. */
  run<Result>(client: HashClient, work: () => Promise<Result>): Promise<Result>;
}

/** The places of a queue that strangers cannot take. */
function knownPlaces(waitingMax: number): number {
  return Math.floor(waitingMax / KNOWN_SHARE);
}

/** Networks of live sessions have one place, and one turn, of this many. */
const KNOWN_SHARE = 3;

interface Waiter {
  enter(): void;
  refuse(): void;
}

/**
 * A bounded number of parallel hashes. Those of known networks and of others wait apart; every third turn is of a known one. In
 * both, waiting networks take turns, and a full queue refuses the newest request of the network with the most waiting ones.
 */
export function createFairQueue(options: { atOnceMax: number; waitingMax: number }): HashQueue {
  const { atOnceMax, waitingMax } = options;
  const known = createTurns(knownPlaces(waitingMax));
  const others = createTurns(waitingMax - knownPlaces(waitingMax));
  let inside = 0;
  let turn = 0;

  function leave(): void {
    turn = (turn + 1) % KNOWN_SHARE;
    const next = turn === 0 ? (known.next() ?? others.next()) : (others.next() ?? known.next());
    // The next one takes the place: `inside` does not change.
    if (next) next.enter();
    else inside -= 1;
  }

  return {
    async run({ network, isKnown }, work) {
      if (inside < atOnceMax) inside += 1;
      else await (isKnown ? known : others).wait(network);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

/** Waiting requests, a turn a network. */
function createTurns(waitingMax: number) {
  // In the order of their turns.
  const waiting = new Map<string, Waiter[]>();
  let waitingCount = 0;

  function makePlace(network: string): boolean {
    let longest = { name: network, waiters: waiting.get(network) ?? [] };
    const ownCount = longest.waiters.length + 1;
    for (const [name, waiters] of waiting) {
      if (waiters.length > longest.waiters.length) longest = { name, waiters };
    }
    // Networks with equally many waiting requests do not refuse each other's.
    if (longest.waiters.length <= ownCount) return false;
    longest.waiters.pop()?.refuse();
    waitingCount -= 1;
    return true;
  }

  return {
    wait(network: string): Promise<void> {
      if (waitingCount >= waitingMax && !makePlace(network)) return Promise.reject(busy());
      return new Promise((resolve, reject) => {
        const own = waiting.get(network) ?? [];
        own.push({ enter: resolve, refuse: () => reject(busy()) });
        waiting.set(network, own);
        waitingCount += 1;
      });
    },
    /** Takes the one whose turn it is out of the queue. */
    next(): Waiter | undefined {
      const [turn] = waiting;
      if (!turn) return undefined;
      const [network, waiters] = turn;
      waiting.delete(network);
      const next = waiters.shift();
      if (waiters.length > 0) waiting.set(network, waiters);
      waitingCount -= 1;
      return next;
    },
  };
}

/** The bounds of a throttled queue. */
interface ThrottleOptions {
  clock: Clock;
  timers: Timers;
  /** The least time between the starts of two hashes. The clock may not move during a hash. */
  intervalMs: number;
  /** The least time between a hash and the next one. */
  restMs: number;
  waitingMax: number;
  waitingPerNetworkMax: number;
  /** After this time in the queue a request is refused. */
  waitMsMax: number;
}

/**
 * For a runtime whose hash blocks the event loop: one hash at a time, with a pause for other requests. Each request waits on
 * its own timer, as workerd does not let it await another request. The place of a cancelled request expires.
 */
export function createThrottledQueue(options: ThrottleOptions): HashQueue {
  const { clock, timers, intervalMs, restMs } = options;
  const waiting = new Set<{ network: string; endsAtMs: number }>();
  let freeAtMs = 0;

  function requirePlace({ network, isKnown }: HashClient): void {
    for (const place of waiting) if (place.endsAtMs <= clock.now()) waiting.delete(place);
    const own = [...waiting].filter((place) => place.network === network);
    const { waitingMax } = options;
    const max = isKnown ? waitingMax : waitingMax - knownPlaces(waitingMax);
    if (waiting.size >= max || own.length >= options.waitingPerNetworkMax) {
      throw busy();
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

  // Called in the tick that found the queue free: other timers may fire in the same turn.
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

function busy(): HasherBusy {
  return new HasherBusy("Too many passwords are being checked.");
}
