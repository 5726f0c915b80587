import { mkdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { installExtra } from "./extra.ts";
import { buildEngine, buildThreads } from "./test/bundles.ts";
import { type Job, planJobs } from "./test/plan.ts";
import { printEnd, printSummary } from "./test/print.ts";
import { createPrivateFolder } from "./test/private-folder.ts";
import { type JobResult, REPORTS, runJob } from "./test/run-job.ts";
import { runSteadily } from "./test/steady.ts";
import { keepTimes, longestFirst } from "./test/times.ts";

// `npm test`, `test:fast`, `test:long` and `test:steady`. A run has a home and temporary folders of its own, and leaves nothing in
// them. It fails where a process ends early, runs no test, or leaves a file or a process.
// Only a fault takes as long, on a loaded machine, too.
const JOB_MS_MAX = 600_000;
const LONG_JOB_MS_MAX = 7_200_000;
const NEEDS_EXTRA = /(openapi-lint|client-package|langchain)\.test\.ts$/;
// These read the folders where the packages are installed.
const READS_TOOLS = /^(check|house)$/;
const PROGRESS = /^.*: \d+ of \d+$/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fast: { type: "boolean", default: false },
    long: { type: "boolean", default: false },
    steady: { type: "boolean", default: false },
    runs: { type: "string", default: "10" },
    load: { type: "string", default: "1" },
  },
});
// tsc and esbuild hardly collect garbage: tsc takes half of the time, and as much memory.
process.env.GOGC = "2000";
const isGood = values.steady
  ? await runSteadily({ runs: Number(values.runs), load: Number(values.load), files: positionals })
  : await runTests();
process.exitCode = isGood ? 0 : 1;

async function runTests(): Promise<boolean> {
  const startedAt = performance.now();
  if (positionals.length === 0) rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop.abort());
  const jobs = planJobs(values, positionals);
  // The others begin meanwhile. Where it fails, such as without a network, the tests say that they were skipped.
  const extra = jobs.some(({ name }) => NEEDS_EXTRA.test(name))
    ? installExtra({ dev: false }, stop.signal).catch(() => {})
    : undefined;
  const waiting = longestFirst(jobs).entries();
  const results: JobResult[] = [];
  const startsEngines = positionals.length === 0 && !values.fast;
  const [threads] = await Promise.all([
    buildThreads(),
    // A test that starts an engine says why it fails.
    startsEngines ? buildEngine(stop.signal).catch(() => {}) : undefined,
  ]);
  {
    using folder = createPrivateFolder(values.long);
    const work = async (lane: number) => {
      for (const [number, job] of waiting) {
        if (NEEDS_EXTRA.test(job.name) || READS_TOOLS.test(job.kind)) await extra;
        if (stop.signal.aborted) return;
        const own = { TEST_THREADS: threads, TEST_LANE: String(lane) };
        const env = { ...folder.open(number), ...own };
        const result = await runJob(job, { ...limits(job), env, signal: stop.signal });
        const left = folder.close(number);
        if (left.length > 0) result.problems.push(`left files: ${left.join(", ")}`);
        results.push(result);
        printEnd(result);
      }
    };
    // Two more than processors: jobs wait for servers, browsers and queues, and three kept two processors busy for 83 %.
    await Promise.all(Array.from({ length: availableParallelism() + 2 }, (_, lane) => work(lane)));
  }
  if (positionals.length === 0) keepTimes(results);
  printSummary(results, performance.now() - startedAt);
  if (stop.signal.aborted) console.log("The run was stopped.");
  return (
    !stop.signal.aborted &&
    results.length > 0 &&
    results.every(({ problems }) => problems.length === 0)
  );
}

/** A long run shows how far each file is. */
function limits({ name }: Job) {
  const { long } = values;
  return {
    timeoutMs: long ? LONG_JOB_MS_MAX : JOB_MS_MAX,
    onLine: (line: string) => {
      if (long && PROGRESS.test(line)) console.log(`  ${name}: ${line}`);
    },
  };
}
