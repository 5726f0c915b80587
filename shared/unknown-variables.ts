import type { Environment } from "./env.ts";

const REPORTED_MAX = 20;
const NAME_CHARACTERS_MAX = 64;
const DISTANCE_MAX = 3;

/**
 * A sentence for each unknown variable that begins with `prefix`, with the most similar known name. Values are never read.
 */
export function describeUnknownVariables(
  env: Environment,
  prefix: string,
  known: readonly string[],
): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.includes(name))
    .slice(0, REPORTED_MAX)
    .map((name) => {
      const shown = name.slice(0, NAME_CHARACTERS_MAX);
      const nearest = findNearest(shown, known);
      return `${shown} is not a known variable.${nearest ? ` Did you mean ${nearest}?` : ""}`;
    });
}

function findNearest(name: string, known: readonly string[]): string | undefined {
  const measured = known.map((candidate) => ({ candidate, distance: distance(name, candidate) }));
  const [best] = measured.sort((one, other) => one.distance - other.distance);
  return best && best.distance <= DISTANCE_MAX ? best.candidate : undefined;
}

/** Levenshtein: the letters to insert, delete or replace. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [column, target] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === target ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
