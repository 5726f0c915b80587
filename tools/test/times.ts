import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Job } from "./plan.ts";

// In milliseconds, by the job's name. They order the jobs, and nothing else depends on them.
const FILE = ".build/test-times.json";

/** The jobs, those first that took longest in earlier runs; a job without a time keeps its place before them. */
export function longestFirst(jobs: readonly Job[]): Job[] {
  const times = readTimes();
  const timeOf = ({ name }: Job) => times[name] ?? Number.POSITIVE_INFINITY;
  return jobs.toSorted((one, other) =>
    timeOf(one) === timeOf(other) ? 0 : timeOf(other) - timeOf(one),
  );
}

/** Keeps the times of a run for the next one. */
export function keepTimes(results: readonly { job: Job; ms: number }[]): void {
  const times = results.map(({ job, ms }) => [job.name, Math.round(ms)]);
  mkdirSync(".build", { recursive: true });
  writeFileSync(FILE, JSON.stringify({ ...readTimes(), ...Object.fromEntries(times) }));
}

function readTimes(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(FILE, "utf8"));
  } catch {
    // The first run in this checkout, or a write that was cut off.
    return {};
  }
}
