import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = ".build/test-steady";

/** Runs `npm test` so many times in a row beside busy loops. Returns whether all of them were green. */
export async function runSteadily({
  runs,
  load,
}: {
  runs: number;
  load: number;
}): Promise<boolean> {
  const loops = Array.from({ length: load }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
  process.on("exit", () => {
    for (const loop of loops) loop.kill("SIGKILL");
  });
  let green = 0;
  for (let run = 1; run <= runs; run += 1) {
    const startedAt = performance.now();
    const { code, output } = await runTests();
    const took = `${Math.round((performance.now() - startedAt) / 1000)} s`;
    if (code === 0) green += 1;
    console.log(
      `run ${run} of ${runs}: ${code === 0 ? "green" : "RED"}, ${took}${code === 0 ? "" : `, ${keep(run, output)}`}`,
    );
  }
  console.log(`${green} of ${runs} runs were green, beside ${load} busy loops`);
  return green === runs;
}

async function runTests(): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ["tools/test.ts"], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
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
