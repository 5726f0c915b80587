import type { Files } from "./engine/rag.ts";

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
