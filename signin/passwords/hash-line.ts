import { type HashClient, HasherBusy } from "./hasher.ts";

/** Decides when a hash may begin. */
export interface HashLine {
  /** @throws HasherBusy where the line is full. */
  run<Result>(client: HashClient, work: () => Promise<Result>): Promise<Result>;
}

/** The places of a line that strangers cannot take. */
export function knownPlaces(waitingMax: number): number {
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
 * both, waiting networks take turns, and a full line refuses the newest request of the network with the most waiting ones.
 */
export function createFairLine(options: { atOnceMax: number; waitingMax: number }): HashLine {
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
    /** Takes the one whose turn it is out of the line. */
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

function busy(): HasherBusy {
  return new HasherBusy("Too many passwords are being checked.");
}
