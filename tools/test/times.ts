import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Job, Kind } from "./plan.ts";

// In milliseconds, by the job's name. They order the jobs, and nothing else depends on them.
const FILE = ".build/test-times.json";

// A guess for a job without a time, as on a first run: milliseconds of a command, or of a file.
const GUESSES: Record<Kind, number> = {
  browser: 5_000,
  workerd: 15_000,
  "whole programs": 5_000,
  check: 15_000,
  house: 1_000,
  "rules and routes": 200,
};
/** Suites that one file collects from others. */
const SUITES = /signin-(node|worker|d1)\.test\.ts$/;
const SUITE_MS = 40_000;
/** A group of files that begin with "Slow: ". */
const SLOW_GROUP = /, slow$/;
const SLOW_FILE_MS = 2_000;

/** The jobs, those first that took longest in earlier runs. */
export function longestFirst(jobs: readonly Job[]): Job[] {
  const times = readTimes();
  const timeOf = (job: Job) => times[job.name] ?? guess(job);
  return jobs.toSorted((one, other) => timeOf(other) - timeOf(one));
}

function guess({ name, kind, files }: Job): number {
  if (SUITES.test(name)) return SUITE_MS;
  return (SLOW_GROUP.test(name) ? SLOW_FILE_MS : GUESSES[kind]) * Math.max(1, files.length);
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
