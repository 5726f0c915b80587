import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = ".build/test-steady";
/** The line of a job that failed, as `printEnd` writes it. */
const RED_JOB = /(?<=^✖ +[\d.]+ s ).*?(?=, \d+ tests$|$)/gm;

interface Steady {
  runs: number;
  /** How many busy loops run beside the tests. */
  load: number;
  /** Some test files; none for all of `npm test`. */
  files: readonly string[];
}

/** How a run went. */
interface Result {
  run: number;
  seconds: number;
  /** The jobs that failed; none for a green run. */
  red: string[];
}

/** Runs `npm test` several times in a row, keeps the output of each red run, and prints a table of all. Returns whether all of them were green. */
export async function runSteadily({ runs, load, files }: Steady): Promise<boolean> {
  const started: ChildProcess[] = [];
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    started.push(child);
    return child;
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(1));
  process.on("exit", () => {
    for (const child of started) child.kill();
  });
  for (let loop = 0; loop < load; loop += 1) start("-e", "for (;;);");
  rmSync(FOLDER, { recursive: true, force: true });
  const results: Result[] = [];
  for (let run = 1; run <= runs; run += 1) {
    const startedAt = performance.now();
    const { code, output } = await outputOf(start("tools/test.ts", ...files));
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const red = code === 0 ? [] : [...new Set(output.match(RED_JOB) ?? [`ended with ${code}`])];
    const result = { run, seconds, red };
    results.push(result);
    console.log(describe(result));
    if (code !== 0) console.log(`  its output: ${keep(run, output)}`);
  }
  for (const child of started) child.kill();
  const green = results.filter(({ red }) => red.length === 0);
  console.log(["", "all runs", ...results.map(describe)].join("\n"));
  console.log(`${green.length} of ${runs} runs were green, beside ${load} busy loops`);
  return green.length === runs;
}

function describe({ run, seconds, red }: Result): string {
  return `run ${run}: ${seconds} s, ${red.length === 0 ? "green" : `RED: ${red.join("; ")}`}`;
}

async function outputOf(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, output };
}

/** Returns the path of the output of a red run. */
function keep(run: number, output: string): string {
  const path = join(FOLDER, `run-${run}.log`);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(path, output);
  return path;
}
