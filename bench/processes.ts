import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { KIB } from "../shared/units.ts";
import { type ProcessOptions, startEngineProcess } from "../test/support/engine/process.ts";

/** A server under measurement: the engine or its floor. */
export interface Target extends AsyncDisposable {
  pid: number;
  port: number;
  token: string;
}

const THREADS_AT_ONCE = 100;
const TICKS_PER_SECOND = 100;

/** The engine as `npm start` runs it. */
export async function startEngine(options: ProcessOptions = {}): Promise<Target> {
  const engine = await startEngineProcess(options);
  const { port, token, pid } = engine.runtime;
  return { pid, port, token, [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose]() };
}

/** The hand-written server, on a database of its own. */
export async function startFloor(): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), "roundhouse-floor-"));
  const token = "x".repeat(43);
  const floor = await startScript("floors/server.ts", [join(folder, "floor.db"), token]);
  return {
    ...floor,
    token,
    async [Symbol.asyncDispose]() {
      await floor[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A server of this folder, which writes its port as its first line. */
export async function startScript(
  path: string,
  args: readonly string[],
): Promise<Omit<Target, "token">> {
  const script = fileURLToPath(new URL(path, import.meta.url));
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  return {
    pid: child.pid ?? 0,
    port: Number(line),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

/** Both, the engine first. */
export async function startBoth(): Promise<AsyncDisposable & { ours: Target; floor: Target }> {
  const ours = await startEngine();
  const floor = await startFloor();
  return {
    ours,
    floor,
    async [Symbol.asyncDispose]() {
      await ours[Symbol.asyncDispose]();
      await floor[Symbol.asyncDispose]();
    },
  };
}

/** A POST or GET with a JSON answer. */
export async function callTarget<Answer>(
  { port, token }: Target,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}` },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return (await response.json()) as Answer;
}

/** A new thread. */
export async function createThread(target: Target): Promise<string> {
  return (await createThreads(target, 1)).thread;
}

/** A new workspace with so many threads, and one of them; the floor has one workspace, `w`. */
export async function createThreads(
  target: Target,
  count: number,
): Promise<{ workspace: string; thread: string }> {
  const workspace = await callTarget<{ uuid?: string }>(target, "POST", "/workspaces", {
    name: "bench",
  }).catch(() => ({ uuid: "w" }));
  let thread = "";
  const body = { workspaceUuid: workspace.uuid };
  const create = () => callTarget<{ uuid: string }>(target, "POST", "/threads", body);
  for (let made = 0; made < count; made += THREADS_AT_ONCE) {
    const some = Math.min(THREADS_AT_ONCE, count - made);
    const created = await Promise.all(Array.from({ length: some }, create));
    thread = created[0]?.uuid ?? "";
  }
  return { workspace: workspace.uuid ?? "w", thread };
}

/** CPU of a process so far, in milliseconds. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

/** Resident memory in MiB, or the most that it ever was. */
export function residentMib(pid: number, which: "VmRSS" | "VmHWM" = "VmRSS"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1]) / KIB;
}
