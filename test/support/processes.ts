import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../shared/env.ts";
import { processesOf } from "../../tools/test/process-group.ts";
import { ROOT } from "../house/sources.ts";
import { until } from "./time.ts";

/** What a command said, and how it ended. */
export interface CliResult {
  code: number | null;
  out: string;
  error: string;
  /** What it wrote under `--json`, value by value. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  json: any[];
}

/** Where a command of this process writes; `onWrite` sees all of it, as it is written. */
export function recordOutput(onWrite: (text: string) => void = () => {}) {
  let out = "";
  let error = "";
  return {
    write(text: string) {
      out += text;
      onWrite(text);
    },
    writeError(text: string) {
      error += text;
      onWrite(text);
    },
    result(code: number | null, args: readonly string[]): CliResult {
      const lines = args.includes("--json") ? out.split("\n").filter(Boolean) : [];
      return { code, out, error, json: lines.map((line) => JSON.parse(line)) };
    },
  };
}

/** Runs a command of a program as its own process, as a person does; `input` is its standard input. */
export async function runCliProcess(
  program: readonly string[],
  args: readonly string[],
  { env, input = "", cwd }: { env: Environment; input?: string; cwd?: string },
): Promise<CliResult> {
  const child = spawn(process.execPath, [...program, ...args], {
    cwd,
    env: { ...MACHINE, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(input);
  const output = recordOutput();
  child.stdout.setEncoding("utf8").on("data", output.write);
  child.stderr.setEncoding("utf8").on("data", output.writeError);
  const [code] = (await once(child, "close")) as [number | null];
  return output.result(code, args);
}

/** What a program that a test starts knows of this machine. Sources are compiled once for all runs: the cache is that of `npm test`. */
export const MACHINE = {
  PATH: process.env.PATH ?? "",
  // biome-ignore lint/plugin: the one place, which `npm test` sets to a folder of the run.
  HOME: process.env.HOME ?? "",
  TMPDIR: tmpdir(),
  // The developer's own model servers would be found.
  ENGINE_DISCOVERY: "0",
  NODE_COMPILE_CACHE: join(ROOT, ".build/compile-cache"),
};

/** Arguments of Node for a program that runs from its sources: it loads them as the process of a test does. */
export const FROM_SOURCES = ["--import", join(ROOT, "tools/compile-cache.mjs")];

/** A script of package.json, started by npm in a process group of its own, as a supervisor sees it. */
export interface NpmProcess extends AsyncDisposable {
  /** The process of npm itself. */
  pid: number;
  /** Those of its group that run: npm, and all that it started. */
  processes(): { id: number; name: string }[];
  /** All output so far. */
  output(): string;
  /** Resolves with all output once it holds the text. @throws where npm ends before that. */
  said(text: string): Promise<string>;
  /** Resolves when npm and all that it started are gone. */
  gone(): Promise<void>;
}

/** Starts `npm run SCRIPT`. */
export function startByNpm(script: string, env: Record<string, string>): NpmProcess {
  const child = spawn("npm", ["run", script], {
    cwd: ROOT,
    env: { ...MACHINE, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const pid = child.pid ?? 0;
  const processes = () => processesOf(pid);
  const ended = once(child, "exit");
  // All output is there: that of what npm started, too.
  const closed = once(child, "close");
  let output = "";
  const said = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const look = (chunk = "") => {
        output += chunk;
        if (output.includes(text)) resolve(output);
      };
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", look);
      }
      look();
      void closed.then(() => reject(new Error(`npm ended: ${output}`)));
    });
  return {
    pid,
    processes,
    output: () => output,
    said,
    async gone() {
      await ended;
      try {
        await until("The end of all processes", () => processes().length === 0 || undefined);
      } catch (cause) {
        const names = processes().map(({ name }) => name);
        throw new Error(`Still there: ${names.join(", ")}`, { cause });
      }
    },
    // A test that fails leaves no process behind.
    async [Symbol.asyncDispose]() {
      if (processes().length > 0) process.kill(-pid, "SIGKILL");
    },
  };
}

/** False where the system lists processes as files, else the reason to skip a test that needs it. */
export const NO_PROC = existsSync("/proc/self/stat") ? false : "needs /proc";

/** False where a program is installed, else the reason to skip a test that needs it. */
export function skipWithout(program: string, ...args: string[]): string | false {
  const { error } = spawnSync(program, args, { stdio: "ignore" });
  return error === undefined ? false : `${program} is not installed`;
}

/** A program in the foreground that ends with its test. */
export function startTool(
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
  cwd?: string,
) {
  const chunks: string[] = [];
  const child = spawn(program, args, { env, cwd, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  }
  return {
    child,
    output: () => chunks.join(""),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
