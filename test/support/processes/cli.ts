import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Environment } from "../../../shared/env.ts";

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
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(input);
  const output = recordOutput();
  child.stdout.setEncoding("utf8").on("data", output.write);
  child.stderr.setEncoding("utf8").on("data", output.writeError);
  const [code] = (await once(child, "close")) as [number | null];
  return output.result(code, args);
}
