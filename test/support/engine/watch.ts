import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineProcess } from "../processes/engine-process.ts";
import { WATCHDOG_MS } from "../until.ts";

/** Asks for the health of an engine again and again. */
export interface HealthWatch extends AsyncDisposable {
  /** How many answers came so far. */
  answers(): number;
  /** Ends the watch. @throws where one answer was missing, late beyond all patience, or not 200. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the watch; the next request leaves when the answer to the last one is there. */
export function watchHealth({ baseUrl }: EngineProcess): HealthWatch {
  let over = false;
  let answers = 0;
  const watch = async () => {
    while (!over) {
      const signal = AbortSignal.timeout(WATCHDOG_MS);
      const answer = await fetch(`${baseUrl}/health`, { signal });
      await answer.text();
      assert.equal(answer.status, 200);
      answers += 1;
    }
  };
  const watched = watch().then(
    () => undefined,
    (error: unknown) => new Error("The engine did not answer /health.", { cause: error }),
  );
  return {
    answers: () => answers,
    async [Symbol.asyncDispose]() {
      over = true;
      const failure = await watched;
      if (failure) throw failure;
    },
  };
}

/** The resident memory of a process. */
export function residentBytes(pid: number): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) * 1024;
}

/** What the engine logged, on standard error and in its files. */
export function readLog({ dataDirectory, stderr }: EngineProcess): string {
  const files = globSync("logs/*", { cwd: dataDirectory });
  return [stderr(), ...files.map((name) => readFileSync(join(dataDirectory, name), "utf8"))].join(
    "\n",
  );
}

/** The lines of a log that tell of a fault of the engine itself. */
export function errorLines(log: string): string[] {
  return log
    .split("\n")
    .filter((line) => /"level":"(error|fatal)"/.test(line) || /^\s+at /.test(line));
}
