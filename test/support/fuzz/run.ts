import { showProgress } from "../repeats.ts";
import { createDice, type Dice } from "../texts.ts";

/** The same seed gives the same cases. */
export const FUZZ_SEED = Number(process.env.FUZZ_SEED ?? 1);

/** One case: the dice are its own, so that it does not depend on how the cases around it ran. */
export type FuzzCase = (dice: Dice, number: number) => Promise<void>;

/**
 * Runs the cases, a few at a time, until one fails. @throws with the seed and the number of the case, which give it
 * again.
 */
export async function runCases(
  { what, count, atOnce }: { what: string; count: number; atOnce: number },
  run: FuzzCase,
): Promise<void> {
  let next = 0;
  let done = 0;
  let failed = false;
  const work = async () => {
    while (next < count && !failed) {
      const number = next;
      next += 1;
      try {
        await run(caseDice(FUZZ_SEED, number), number);
        done += 1;
        showProgress(what, done, count);
      } catch (error) {
        failed = true;
        throw new Error(`Case ${number} of FUZZ_SEED=${FUZZ_SEED}: ${messageOf(error)}`, {
          cause: error,
        });
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, work));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}

/** Dice for one case of a run. */
export function caseDice(seed: number, number: number): Dice {
  const dice = createDice(Math.imul(seed, 0x9e37_79b1) ^ Math.imul(number + 1, 0x85eb_ca6b));
  // The first numbers of neighbours are alike.
  for (let at = 0; at < 8; at += 1) dice(2);
  return dice;
}

/** One of these. */
export function pick<Item>(dice: Dice, items: readonly Item[]): Item {
  return items[dice(items.length)] as Item;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
