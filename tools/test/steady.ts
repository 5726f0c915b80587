import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = ".build/test-steady";

interface Steady {
  runs: number;
  /** How many busy loops run beside the tests. */
  load: number;
  /** Some test files; none for all of `npm test`. */
  files: readonly string[];
}

/** Runs `npm test` several times in a row, and keeps the output of each red run. Returns whether all of them were green. */
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
  let green = 0;
  for (let run = 1; run <= runs; run += 1) {
    const startedAt = performance.now();
    const { code, output } = await outputOf(start("tools/test.ts", ...files));
    const took = `${Math.round((performance.now() - startedAt) / 1000)} s`;
    if (code === 0) green += 1;
    const result = code === 0 ? "green" : `RED, ${keep(run, output)}`;
    console.log(`run ${run} of ${runs}: ${took}, ${result}`);
  }
  console.log(`${green} of ${runs} runs were green, beside ${load} busy loops`);
  for (const child of started) child.kill();
  return green === runs;
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
