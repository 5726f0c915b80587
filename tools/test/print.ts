import type { Counts, JobResult } from "./run-job.ts";

const SLOWEST = 10;
// The last line of a loop in a long run.
const REPEATED = /^.*: (\d+) of \1$/gm;
const NO_COUNTS: Counts = {
  tests: 0,
  suites: 0,
  passed: 0,
  failed: 0,
  cancelled: 0,
  skipped: 0,
  todo: 0,
};

/** A line for a job that ended. */
export function printEnd({ job, ms, counts, problems }: JobResult): void {
  const mark = problems.length === 0 ? "✔" : "✖";
  const tests = counts ? `, ${counts.tests} tests` : "";
  console.log(`${mark} ${seconds(ms)} ${job.name}${tests}`);
  for (const problem of problems) console.log(`  ${problem}`);
}

/** What failed, the times, and the counts in the words of node:test. */
export function printSummary(results: readonly JobResult[], wallMs: number): void {
  for (const result of results.filter(({ problems }) => problems.length > 0)) printFailure(result);
  console.log("\ntime by kind, added up over its processes");
  const kinds = Map.groupBy(results, ({ job }) => job.kind);
  for (const [kind, all] of kinds) {
    console.log(`  ${seconds(all.reduce((sum, { ms }) => sum + ms, 0))} ${kind}`);
  }
  console.log("slowest files");
  for (const [file, ms] of slowestFiles(results)) console.log(`  ${seconds(ms)} ${file}`);
  const repeated = results.flatMap(({ output }) => output.match(REPEATED) ?? []);
  if (repeated.length > 0) console.log(["repeated", ...repeated].join("\n  "));
  const counts = { ...NO_COUNTS };
  for (const result of results) add(counts, result);
  console.log(
    [
      `ℹ tests ${counts.tests}`,
      `ℹ suites ${counts.suites}`,
      `ℹ pass ${counts.passed}`,
      `ℹ fail ${counts.failed}`,
      `ℹ cancelled ${counts.cancelled}`,
      `ℹ skipped ${counts.skipped}`,
      `ℹ todo ${counts.todo}`,
      `ℹ duration_ms ${wallMs}`,
    ].join("\n"),
  );
}

function printFailure({ job, problems, output }: JobResult): void {
  console.log(`\n✖ ${job.name}: ${problems.join("; ")}`);
  // The part that the reporter repeats at its end, else everything.
  console.log(output.slice(Math.max(0, output.indexOf("✖ failing tests:"))).trimEnd());
}

function slowestFiles(results: readonly JobResult[]): [string, number][] {
  const times = results.flatMap(({ job, ms, files }) =>
    job.files.length === 1 ? [[job.name, ms] as [string, number]] : [...files],
  );
  return times.toSorted(([, one], [, other]) => other - one).slice(0, SLOWEST);
}

/** A job that fails by itself, such as a check, counts as one failure. */
function add(sum: Counts, { counts = NO_COUNTS, problems }: JobResult): void {
  for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += counts[name];
  if (problems.length > 0 && counts.failed + counts.cancelled === 0) sum.failed += 1;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(6)} s`;
}
