import { HasherBusy } from "./hasher.ts";

/** Decides when a hash may begin. `network` is the client's: no network can use all places. */
export interface HashLine {
  /** @throws HasherBusy where the line is full. */
  run<Result>(network: string, work: () => Promise<Result>): Promise<Result>;
}

interface Waiter {
  enter(): void;
  refuse(): void;
}

/**
 * A bounded number of parallel hashes. Waiting networks take turns. A full line refuses the newest request of the network
 * with the most waiting ones.
 */
export function createFairLine(options: { atOnceMax: number; waitingMax: number }): HashLine {
  const { atOnceMax, waitingMax } = options;
  // In the order of their turns.
  const waiting = new Map<string, Waiter[]>();
  let waitingCount = 0;
  let inside = 0;

  function enter(network: string): Promise<void> {
    if (inside < atOnceMax) {
      inside += 1;
      return Promise.resolve();
    }
    if (waitingCount >= waitingMax && !makePlace(network)) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const own = waiting.get(network) ?? [];
      own.push({ enter: resolve, refuse: () => reject(busy()) });
      waiting.set(network, own);
      waitingCount += 1;
    });
  }

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

  function leave(): void {
    const [turn] = waiting;
    if (!turn) {
      inside -= 1;
      return;
    }
    // The next one takes the place: `inside` does not change.
    const [network, waiters] = turn;
    waiting.delete(network);
    const next = waiters.shift();
    if (waiters.length > 0) waiting.set(network, waiters);
    waitingCount -= 1;
    next?.enter();
  }

  return {
    async run(network, work) {
      await enter(network);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

function busy(): HasherBusy {
  return new HasherBusy("Too many passwords are being checked.");
}
