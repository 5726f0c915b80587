import type { Files } from "./engine/files.ts";
import { showProgress } from "./repeats.ts";

/** Numbers below `sides` that are the same at every run. */
export type Dice = (sides: number) => number;

export function createDice(seed: number): Dice {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const WORDS =
  `cache refresh minute server token session index vector keyword document chunk worker thread query result score folder file
  path line heading section install update remove create search limit mode hybrid engine client request answer`
    .trim()
    .split(/\s+/);

/** Up to sixty lines of words, some of them headings. */
export function createText(dice: Dice): string {
  const lines = Array.from({ length: 1 + dice(60) }, () => {
    const words = Array.from({ length: 1 + dice(14) }, () => WORDS[dice(WORDS.length)]);
    return dice(9) === 0 ? `## ${words.slice(0, 3).join(" ")}` : words.join(" ");
  });
  return lines.join("\n");
}

/** Documents in seven folders. */
export function createDocuments(dice: Dice, count: number): Files {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`d${i % 7}/f${i}.md`, createText(dice)]),
  );
}

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
