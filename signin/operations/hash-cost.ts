import type { Scope } from "../deps.ts";

type ProbeDeps = Pick<Scope, "db" | "clock" | "hasher">;

/** The time of one password hash, measured once: requests for it must not start hashes. */
interface HashCost {
  /** Milliseconds; null during the first measurement, or if it failed. */
  read(deps: ProbeDeps): Promise<number | null>;
}

export function createHashCost(): HashCost {
  let costMs: number | null = null;
  let isMeasuring = false;
  return {
    async read(deps) {
      if (costMs !== null || isMeasuring) return costMs;
      isMeasuring = true;
      try {
        costMs = await measure(deps);
      } catch {
        // The hasher is busy: the next request measures.
      } finally {
        isMeasuring = false;
      }
      return costMs;
    },
  };
}

// On Workers the clock moves with I/O alone: hence a query before and after the hash.
async function measure({ db, clock, hasher }: ProbeDeps): Promise<number> {
  const query = async () => {
    const before = clock.now();
    await db.$client.execute("SELECT 1");
    return clock.now() - before;
  };
  await query();
  const before = clock.now();
  await hasher.hash("the cost of one password");
  const queryMs = await query();
  return Math.max(0, Math.round(clock.now() - before - queryMs));
}
