import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Job } from "./plan.ts";
import { processesOf } from "./process-group.ts";

/** How many tests a job has, by their end. */
export interface Counts {
  tests: number;
  suites: number;
  passed: number;
  failed: number;
  cancelled: number;
  skipped: number;
  todo: number;
}

/** What a job reported. */
interface Report {
  job: Job;
  /** Undefined for a command, and where the process ended early. */
  counts: Counts | undefined;
  /** The time of the tests of each file, in milliseconds. */
  files: Map<string, number>;
  /** The failures; node:test prints them only where the process comes to its end. */
  errors: string[];
}

/** What a job did. */
export interface JobResult extends Report {
  ms: number;
  /** Why the job did not pass; none where it did. */
  problems: string[];
  output: string;
}

// A young generation of 64 MiB: short tests make much garbage, and take an eighth less of the processor with it.
const NODE = [
  "--min-semi-space-size=64",
  "--max-semi-space-size=64",
  "--import",
  "./tools/compile-cache.mjs",
];
/** The tests of the last run, job by job, in the form of reporter.mjs. */
export const REPORTS = ".build/test-reports";
const PROCESSES_END_MS = 5_000;
/** How long a process that reached its limit has to say where it is. */
const TRACE_MS = 1_000;
/** As run-files.ts prints it. */
const UNHANDLED = /^(?:unhandledRejection|uncaughtException) after /;

/** The limit of a job and of each of its tests. `onLine` gets each line of its output. */
interface Options {
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  signal: AbortSignal;
  onLine(line: string): void;
}

/** Runs one process to its end, with all that it starts. It never throws for what the job does. */
export async function runJob(job: Job, options: Options): Promise<JobResult> {
  const startedAt = performance.now();
  const report = join(REPORTS, `${process.hrtime.bigint()}.jsonl`);
  const [program = "", ...args] = job.command ?? [
    process.execPath,
    ...toArguments(job, report, options),
  ];
  const child = spawn(program, args, {
    env: options.env,
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that no process of it stays.
    detached: true,
  });
  const group = child.pid ?? 0;
  const closed = new Promise((resolve) => child.on("close", resolve));
  let output = "";
  let line = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const lines = (line + text).split("\n");
      line = lines.pop() ?? "";
      lines.forEach(options.onLine);
    });
  }
  const limit = AbortSignal.timeout(options.timeoutMs);
  const kill = () => killGroup(group);
  let killing: NodeJS.Timeout | undefined;
  const askWhere = () => {
    child.kill("SIGINT");
    killing = setTimeout(kill, TRACE_MS);
  };
  limit.addEventListener("abort", askWhere);
  options.signal.addEventListener("abort", kill);
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on("error", (error) => {
      output += `${error}\n`;
      resolve([1, null]);
    });
    child.on("exit", (...ended) => resolve(ended));
  });
  limit.removeEventListener("abort", askWhere);
  options.signal.removeEventListener("abort", kill);
  clearTimeout(killing);
  const problems = [];
  if (limit.aborted) problems.push(`did not end within ${options.timeoutMs / 1000} s`);
  else if (signal !== null) problems.push(`was ended by ${signal}`);
  else if (code !== 0) problems.push(`ended with ${code}`);
  const still = await endGroup(group);
  // All output is there, unless a process that left the group holds it open.
  await Promise.race([closed, delay(PROCESSES_END_MS, undefined, { ref: false })]);
  if (still.length > 0) problems.push(`left processes: ${still.join(", ")}`);
  problems.push(...listUnhandled(output));
  const result = readReport(job, report);
  if (!job.command) problems.push(...listMissing(result));
  return { ...result, ms: performance.now() - startedAt, problems, output };
}

function toArguments({ files }: Job, report: string, { timeoutMs }: Options): string[] {
  return [
    ...NODE,
    // At SIGINT it prints the place where it is, also in a loop without an end.
    "--trace-sigint",
    // Before the job's own end, so that the test which hangs is named.
    `--test-timeout=${timeoutMs / 2}`,
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    "--test-reporter=./tools/test/reporter.mjs",
    `--test-reporter-destination=${report}`,
    "tools/test/run-files.ts",
    ...files,
  ];
}

/** A process that ends early leaves no counts, or none of a file. */
function listMissing({ job: { files }, counts, errors, ...result }: Report): string[] {
  if (!counts) return ["ended early: it printed no counts", ...errors];
  return files.filter((file) => !result.files.has(file)).map((file) => `ran no test of ${file}`);
}

/** Each error that nothing handled: the test and the place. */
function listUnhandled(output: string): Set<string> {
  const lines = output.split("\n");
  const found = lines.flatMap((line, at) => {
    if (!UNHANDLED.test(line)) return [];
    const next = lines[at + 1] ?? "";
    return [/^ +at /.test(next) ? `${line}\n${next}` : line];
  });
  return new Set(found);
}

function readReport(job: Job, path: string): Report {
  const [only, ...others] = job.files;
  const files = new Map<string, number>();
  const errors: string[] = [];
  let counts: Counts | undefined;
  let ms = 0;
  for (const line of readLines(path)) {
    const { type, ...event } = JSON.parse(line);
    if (event.error) errors.push(`${event.name}: ${event.error}`);
    if (type === "test:summary") counts = event.counts;
    // A suite comes after its tests. Its own time has the load of all files in it, where it is the first one.
    if (event.kind === "test") ms += event.ms;
    // node:test counts a file without tests as a test that has its name.
    if (event.nesting === 0 && event.name !== event.file) {
      const file = others.length > 0 ? relative("", event.file) : (only ?? "");
      files.set(file, (files.get(file) ?? 0) + ms);
      ms = 0;
    }
  }
  return { job, counts, files, errors };
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line.endsWith("}"));
  } catch {
    // The process never came to write it.
    return [];
  }
}

/** Waits for the processes that a job started, and ends those that stay. Returns their names. */
async function endGroup(group: number): Promise<string[]> {
  const limit = AbortSignal.timeout(PROCESSES_END_MS);
  while (processesOf(group).length > 0 && !limit.aborted) await delay(20);
  const left = processesOf(group);
  killGroup(group);
  return left.map(({ name }) => name);
}

function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // None of it is left.
  }
}
