import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";

/** The information of a running server, for a second start. */
const RunningInfo = z.object({ pid: z.int().positive(), url: z.string() });
type RunningInfo = z.infer<typeof RunningInfo>;

/** Writes the file of the process that holds the directory; disposing removes it. */
export function publishRunning(path: string, info: RunningInfo): Disposable {
  rmSync(path, { force: true });
  writeFileSync(path, JSON.stringify(info), { mode: 0o600 });
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
}

/** The running server; undefined where there is none, or where the file is of an ended process. */
export function readRunning(path: string): RunningInfo | undefined {
  try {
    const info = RunningInfo.parse(JSON.parse(readFileSync(path, "utf8")));
    // Signal 0 only checks whether the process exists.
    return process.kill(info.pid, 0) ? info : undefined;
  } catch {
    return undefined;
  }
}
