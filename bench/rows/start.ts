import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { START } from "../../test/support/engine/process.ts";
import { interleave, median, medianRatio, type Row } from "../harness.ts";
import { residentMib } from "../processes.ts";

const PORT = 17_719;
const IDLE_AFTER_MS = 1_500;
const START_RATIO_MAX = 3;
const MEMORY_RATIO_MAX = 1.6;
const ROUNDS = 9;

const BARE = fileURLToPath(new URL("../floors/bare.mjs", import.meta.url));

/** From the start of the process to the first 200, and what it holds when nothing happens. */
export const startRow: Row = {
  name: "Start",
  figure: "first 200 ≤ 3, idle memory ≤ 1.6 of bare node:http",
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), "roundhouse-start-"));
    const engine = () => startOnce(START, folder);
    const bare = () => startOnce([BARE], folder);
    // The first start may make the bundle, compiles it, and makes the database; all others find them.
    await engine();
    await engine();
    const both = await interleave(engine, bare, ROUNDS);
    rmSync(folder, { recursive: true });
    const of = (what: "ms" | "mib") => ({
      ours: both.ours.map((run) => run[what]),
      floor: both.floor.map((run) => run[what]),
    });
    const start = medianRatio(of("ms"));
    const memory = medianRatio(of("mib"));
    return [
      {
        part: "first 200",
        ours: `${median(of("ms").ours).toFixed(0)} ms`,
        floor: `${median(of("ms").floor).toFixed(0)} ms`,
        ratio: start.toFixed(2),
        reached: start <= START_RATIO_MAX,
      },
      {
        part: "idle memory",
        ours: `${median(of("mib").ours).toFixed(0)} MiB`,
        floor: `${median(of("mib").floor).toFixed(0)} MiB`,
        ratio: memory.toFixed(2),
        reached: memory <= MEMORY_RATIO_MAX,
      },
    ];
  },
};

async function startOnce(
  args: readonly string[],
  folder: string,
): Promise<{ ms: number; mib: number }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ENGINE_PORT: String(PORT), ENGINE_DATA_DIR: folder },
    stdio: "ignore",
  });
  while (!(await answers())) await delay(1);
  const ms = performance.now() - startedAt;
  await delay(IDLE_AFTER_MS);
  const mib = residentMib(child.pid ?? 0);
  child.kill("SIGTERM");
  await once(child, "exit");
  return { ms, mib };
}

function answers(): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ port: PORT, host: "127.0.0.1", path: "/api/v1/health", agent: false });
    request.on("error", () => resolve(false));
    request.on("response", (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode === 200));
    });
  });
}
