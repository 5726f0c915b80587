import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import type { RuntimeInfo } from "../../../engine/runtime/runtime-file.ts";
import { MACHINE } from "../processes.ts";
import { pause, WATCHDOG_MS } from "../time.ts";

/** How an engine process is started. */
export interface ProcessOptions {
  /** A directory of its own where it is left out, removed in the end. */
  dataDirectory?: string;
  env?: Record<string, string>;
  args?: string[];
  /** The arguments of Node before these: those of `npm start` where it is left out. */
  program?: readonly string[];
}

/** An engine in a process of its own, as `npm start` runs it. */
export interface EngineProcess extends AsyncDisposable {
  child: ChildProcess;
  dataDirectory: string;
  runtime: RuntimeInfo;
  baseUrl: string;
  /** All of standard error so far. */
  stderr(): string;
  /** Calls `/api/v1<path>` with the bearer; a body that is no string goes as JSON. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<ProcessEnd>;
}

export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The arguments of Node in `npm start`: its flags, and the script. */
export const START: readonly string[] = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"))
  .scripts.start.split(" ")
  .slice(1)
  .map((argument: string) => (argument.startsWith("-") ? argument : join(ROOT, argument)));

/** Starts an engine and waits until it listens. @throws where it ends before that, with what it said. */
export async function startEngineProcess(options: ProcessOptions = {}): Promise<EngineProcess> {
  const dataDirectory = options.dataDirectory ?? temporaryDirectory();
  const { child, stderr, ended, said } = spawnEngine({ ...options, dataDirectory });
  await Promise.race([said("The engine is listening."), ended]);
  if (child.exitCode !== null || child.signalCode !== null) {
    throw new Error(`The engine ended at once: ${stderr()}`);
  }
  const runtime = readRuntime(dataDirectory);
  const baseUrl = `http://${runtime.host}:${runtime.port}/api/v1`;
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return {
    child,
    dataDirectory,
    runtime,
    baseUrl,
    stderr,
    end,
    call: (method, path, body) =>
      fetch(`${baseUrl}${path}`, {
        method,
        headers: { Authorization: `Bearer ${runtime.token}` },
        body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      await end("SIGKILL");
      if (options.dataDirectory === undefined) rmSync(dataDirectory, { recursive: true });
    },
  };
}

/** Runs an engine that is expected to end by itself: a refused start, `--help`. */
export async function runEngineProcess(
  options: ProcessOptions & { dataDirectory: string },
): Promise<ProcessEnd & { stdout: string; stderr: string }> {
  const { stdout, stderr, ended } = spawnEngine(options);
  return { ...(await ended), stdout: stdout(), stderr: stderr() };
}

/** A new directory for one test, not yet private. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), "roundhouse-"));
}

/** What the engine of a data directory published. */
export function readRuntime(dataDirectory: string): RuntimeInfo {
  return JSON.parse(readFileSync(join(dataDirectory, "runtime.json"), "utf8"));
}

function spawnEngine(options: ProcessOptions & { dataDirectory: string }) {
  const child = spawn(process.execPath, [...(options.program ?? START), ...(options.args ?? [])], {
    env: {
      PATH: process.env.PATH,
      TMPDIR: tmpdir(),
      HOME: options.dataDirectory,
      ENGINE_DISCOVERY: MACHINE.ENGINE_DISCOVERY,
      ENGINE_DATA_DIR: options.dataDirectory,
      ENGINE_PORT: "0",
      ENGINE_CREDENTIAL_STORE: "file",
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  const lines = createInterface({ input: child.stderr });
  lines.on("line", (line) => {
    err += `${line}\n`;
  });
  const said = (text: string) =>
    new Promise<void>((resolve) => {
      lines.on("line", (line) => {
        if (line.includes(text)) resolve();
      });
    });
  const ended = once(child, "close").then(([code, signal]): ProcessEnd => ({ code, signal }));
  return { child, stdout: () => out, stderr: () => err, said, ended };
}

/** An engine that runs while the tests of a suite do. */
interface SharedEngine {
  readonly engine: EngineProcess;
  /** What leads commands to it. */
  readonly env: Record<string, string>;
}

/** Starts an engine for all tests of a suite; it ends with them. */
export function sharedEngine(options?: ProcessOptions): SharedEngine {
  let engine: EngineProcess;
  before(async () => {
    engine = await startEngineProcess(options);
  });
  after(() => engine[Symbol.asyncDispose]());
  return {
    get engine() {
      return engine;
    },
    get env() {
      return { ENGINE_DATA_DIR: engine.dataDirectory };
    },
  };
}

/** Asks for the health of an engine again and again. */
export interface HealthWatch extends AsyncDisposable {
  /** How many answers came so far. */
  answers(): number;
  /** Ends the watch. @throws where one answer was missing, late beyond all patience, or not 200. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the watch; the next request leaves a little after the answer to the last one. */
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
      await pause();
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
