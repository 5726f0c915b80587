/** One line of the table: the engine beside its floor, both measured in this run. */
export interface Row {
  name: string;
  /** What performance asks for, in words. */
  figure: string;
  /** Bounded in time by what it does, not by a clock. */
  measure(): Promise<Result[]>;
}

export interface Result {
  /** What of the row this is, where it measures several things. */
  part?: string;
  ours: string;
  floor: string;
  /** As the figure counts it. */
  ratio: string;
  /** Undefined where it could not be measured here. */
  reached: boolean | undefined;
}

export const ROUNDS = 5;

const VERDICTS: Record<string, string> = {
  true: "yes",
  false: "**no**",
  undefined: "not measured",
};

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Runs both, turn by turn, so that what else the machine does weighs on both alike. */
export async function interleave<Measured>(
  ours: () => Promise<Measured>,
  floor: () => Promise<Measured>,
  rounds = ROUNDS,
): Promise<{ ours: Measured[]; floor: Measured[] }> {
  const measured = { ours: [] as Measured[], floor: [] as Measured[] };
  for (let round = 0; round < rounds; round += 1) {
    measured.ours.push(await ours());
    measured.floor.push(await floor());
  }
  return measured;
}

/** How long some work takes. */
export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The median time of the same work, again and again. */
export async function p50Of(times: number, work: () => Promise<unknown>): Promise<number> {
  const measured: number[] = [];
  for (let time = 0; time < times; time += 1) measured.push(await milliseconds(work));
  return median(measured);
}

/** Two measures of milliseconds, whose ratio may be this at most. */
interface Race {
  ours: () => Promise<number>;
  floor: () => Promise<number>;
  ratioMax: number;
  /** What the floor is. */
  floorName?: string;
  rounds?: number;
}

/** Measures both in turn, after one round that warms them up. */
export async function race({ ours, floor, ratioMax, floorName, rounds }: Race): Promise<Result> {
  await ours();
  await floor();
  const pair = await interleave(ours, floor, rounds);
  const ratio = medianRatio(pair);
  return {
    ours: `${median(pair.ours).toFixed(2)} ms`,
    floor: `${median(pair.floor).toFixed(2)} ms${floorName ? ` (${floorName})` : ""}`,
    ratio: ratio.toFixed(2),
    reached: ratio <= ratioMax,
  };
}

/** The median of the ratios of each round. */
export function medianRatio(pair: { ours: number[]; floor: number[] }): number {
  return median(pair.ours.map((value, round) => value / (pair.floor[round] ?? Number.NaN)));
}

/** Latencies of the same requests beside some work and at rest, in milliseconds. */
export interface Round {
  beside: number[];
  atRest: number[];
}

/** What the work costs the requests: the median over the rounds of beside to at rest. */
export function besideRest(rounds: readonly Round[], ratioMax: number): Result[] {
  const shown = (times: number[]) => `${median(times).toFixed(2)} ms`;
  const ratio = median(rounds.map(({ beside, atRest }) => median(beside) / median(atRest)));
  return [
    {
      ours: shown(rounds.flatMap(({ beside }) => beside)),
      floor: `${shown(rounds.flatMap(({ atRest }) => atRest))} at rest`,
      ratio: ratio.toFixed(2),
      reached: ratio <= ratioMax,
    },
  ];
}

/** Runs the rows whose name has `only` in it, and prints each as it is known. */
export async function printTable(rows: readonly Row[], only: string): Promise<void> {
  console.log("| what | engine | floor | ratio | to reach | reached |");
  console.log("|---|---|---|---|---|---|");
  for (const row of rows) {
    if (!row.name.includes(only)) continue;
    for (const { part, ours, floor, ratio, reached } of await row.measure()) {
      const name = part === undefined ? row.name : `${row.name}: ${part}`;
      const cells = [name, ours, floor, ratio, row.figure, VERDICTS[String(reached)]];
      console.log(`| ${cells.join(" | ")} |`);
    }
  }
}
