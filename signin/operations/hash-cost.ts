import type { Scope } from "../deps.ts";

type ProbeDeps = Pick<Scope, "db" | "clock" | "hasher">;

/** What one password costs, measured once: requests for it must not keep the server hashing. */
export interface HashCost {
  /** Milliseconds; null while the first measurement is under way, or where it failed. */
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
        // Busy with real passwords: the next probe measures.
      } finally {
        isMeasuring = false;
      }
      return costMs;
    },
  };
}

// On Workers time stands still but for input and output: a query on either side makes it move.
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
