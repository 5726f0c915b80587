import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";

/** What a running server tells a second start about itself. */
const RunningInfo = z.object({ pid: z.int().positive(), url: z.string() });
type RunningInfo = z.infer<typeof RunningInfo>;

/** Writes the file of the process that holds the directory; disposing removes it. */
export function publishRunning(path: string, info: RunningInfo): Disposable {
  rmSync(path, { force: true });
  writeFileSync(path, JSON.stringify(info), { mode: 0o600 });
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
}

/** The server that runs; undefined where there is none, or where a process left its file behind. */
export function readRunning(path: string): RunningInfo | undefined {
  try {
    const info = RunningInfo.parse(JSON.parse(readFileSync(path, "utf8")));
    // Signal 0 only asks whether the process exists.
    return process.kill(info.pid, 0) ? info : undefined;
  } catch {
    return undefined;
  }
}
