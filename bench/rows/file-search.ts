import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { searchFiles } from "../../engine/files/search.ts";
import {
  interleave,
  median,
  medianRatio,
  milliseconds,
  type Result,
  type Row,
} from "../harness.ts";
import { callTarget, startEngine } from "../processes.ts";

const FILES = 25_000;
const ROUNDS = 9;
const STALL_ROUNDS = 5;
const STALL_MS_MAX = 50;
const NANOSECONDS = 1e6;

/** How 25,000 files lie on disk. */
const SHAPES = [
  { part: "250 folders", folders: 250 },
  { part: "2,500 folders", folders: 2_500 },
  { part: "one folder", folders: 1 },
];

/** One search over HTTP beside a listing of the same files by ripgrep, and the longest that it holds the event loop. */
export const fileSearchRow: Row = {
  name: "file search, 25,000 files, beside `rg --files`",
  figure: `time ≤ rg's, no stall over ${STALL_MS_MAX} ms`,
  async measure() {
    if (!(await hasRipgrep())) return [NOT_MEASURED];
    const results: Result[] = [];
    for (const { part, folders } of SHAPES) {
      const folder = mkdtempSync(join(realpathSync(tmpdir()), "roundhouse-search-"));
      try {
        await makeFiles(folder, folders);
        results.push({ part, ...(await measureIn(folder)) });
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
    return results;
  },
};

const NOT_MEASURED: Result = {
  part: "not measured, ripgrep (`rg`) is not installed",
  ours: "-",
  floor: "-",
  ratio: "-",
  reached: undefined,
};

async function hasRipgrep(): Promise<boolean> {
  const child = spawn("rg", ["--version"], { stdio: "ignore" });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}

async function measureIn(folder: string): Promise<Result> {
  await using engine = await startEngine();
  const workspace = { name: "bench", directories: JSON.stringify([folder]) };
  const { uuid } = await callTarget<{ uuid: string }>(engine, "POST", "/workspaces", workspace);
  const search = () =>
    callTarget<unknown[]>(engine, "GET", `/workspaces/${uuid}/files/search?q=name-7&limit=50`);
  await search();
  await listByRipgrep(folder);
  const measured = await interleave(
    () => milliseconds(search),
    () => milliseconds(() => listByRipgrep(folder)),
    ROUNDS,
  );
  const ratio = medianRatio(measured);
  const stallMs = await longestStallMs(folder);
  return {
    ours: `${median(measured.ours).toFixed(1)} ms, stall ${stallMs.toFixed(1)} ms`,
    floor: `${median(measured.floor).toFixed(1)} ms`,
    ratio: ratio.toFixed(2),
    reached: ratio <= 1 && stallMs <= STALL_MS_MAX,
  };
}

async function makeFiles(root: string, folders: number): Promise<void> {
  const perFolder = FILES / folders;
  for (let at = 0; at < folders; at += 1) {
    // Two levels: fifty folders of folders at most.
    const folder = folders === 1 ? root : join(root, `part-${at % 50}`, `folder-${at}`);
    await mkdir(folder, { recursive: true });
    for (let file = 0; file < perFolder; file += 1) {
      await writeFile(join(folder, `file-name-${file}.ts`), "");
    }
  }
}

async function listByRipgrep(folder: string): Promise<void> {
  const [code] = await once(spawn("rg", ["--files", folder], { stdio: "ignore" }), "exit");
  if (code !== 0) throw new Error(`rg ended with ${code}.`);
}

/** Measured in this process: the event loop of another one is not visible. The median of a few searches, each with its worst. */
async function longestStallMs(folder: string): Promise<number> {
  const stalls: number[] = [];
  for (let round = 0; round < STALL_ROUNDS; round += 1) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await searchFiles([{ rootIndex: 0, path: folder }], { query: "name-7", limit: 50 });
    delay.disable();
    stalls.push(delay.max / NANOSECONDS);
  }
  return median(stalls);
}
