import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { runCli } from "../../../engine/cli/run.ts";
import type { Environment } from "../../../shared/env.ts";
import { START } from "../processes/engine-process.ts";

/** What a command said, and how it ended. */
export interface CliResult {
  code: number | null;
  out: string;
  error: string;
  /** What it wrote under `--json`, value by value. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  json: any[];
}

/** What a test replaces of the process around a command. */
export interface CliOptions {
  folder?: string;
  signal?: AbortSignal;
  /** What is typed; the command then believes that it has a terminal of 80 columns. */
  typed?: Readable;
  /** Opens an address in place of the system's browser. */
  showInBrowser?(url: string): Promise<boolean>;
  /** Sees all that is written, as it is written. */
  onWrite?(text: string): void;
}

const COMMAND = ["/opt/node", "--flag", "/opt/roundhouse/engine/start.mjs"];

/** Runs a command in this process. */
export async function cli(
  env: Environment,
  args: string[],
  options: CliOptions = {},
): Promise<CliResult> {
  const { folder = "/", signal = new AbortController().signal, typed, onWrite } = options;
  const { showInBrowser } = options;
  let out = "";
  let error = "";
  const terminal = {
    input: typed ?? Readable.from([]),
    write: (text: string) => {
      out += text;
      onWrite?.(text);
    },
    writeError: (text: string) => {
      error += text;
      onWrite?.(text);
    },
    isInteractive: typed !== undefined,
    isInputTerminal: typed !== undefined,
    columns: typed && 80,
  };
  const start = () => Promise.reject(new Error("A test starts its engines itself."));
  const parts = { env, folder, command: COMMAND, terminal, signal, start };
  const code = await runCli(args, { ...parts, ...(showInBrowser && { showInBrowser }) });
  return toResult(code, out, error, args);
}

/** Runs a command as its own process, as a person does. */
export async function cliProcess(env: Environment, args: string[]): Promise<CliResult> {
  const child = spawn(process.execPath, [...START, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let error = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    error += chunk;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return toResult(code, out, error, args);
}

function toResult(code: number | null, out: string, error: string, args: string[]): CliResult {
  const lines = args.includes("--json") ? out.split("\n").filter(Boolean) : [];
  return { code, out, error, json: lines.map((line) => JSON.parse(line)) };
}
