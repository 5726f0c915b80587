import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLibsqlServer } from "../../../dev/libsql-server/libsql-server.ts";
import { createDatabase, type Database } from "../../../shared/database.ts";
import type { Environment } from "../../../shared/env.ts";
import { openEmbeddedClient } from "../../../shared/node/embedded-client.ts";
import { randomToken } from "../../../shared/random.ts";
import { type CliParts, runCli } from "../../../signin/cli/run.ts";
import type { Terminal } from "../../../signin/cli/terminal.ts";

/** What a command said, and how it ended. */
export interface CliResult {
  code: number | null;
  out: string;
  error: string;
  /** What it wrote under `--json`, value by value. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  json: any[];
}

/** A database that commands work on, with the variables that lead them there. */
export interface CliDatabase extends AsyncDisposable {
  env: Environment;
  /** The file that both kinds have in the end. */
  path: string;
  /** Looks into the file past the commands. */
  db: Database;
}

export const CLI_KEYS = {
  old: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
  new: "Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA",
};

/** A terminal that is none, whose standard input has ended. */
export const noTerminal: Terminal = {
  isInteractive: false,
  ask: () => assert.fail("Without a terminal nothing is asked."),
  askSecret: () => assert.fail("Without a terminal nothing is asked."),
  readInput: async () => "",
};

/** Runs a command in this process. */
export async function cli(
  env: Environment,
  args: string[],
  parts: Partial<CliParts> = {},
): Promise<CliResult> {
  let out = "";
  let error = "";
  const code = await runCli(args, {
    env,
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      error += text;
    },
    signal: new AbortController().signal,
    terminal: noTerminal,
    folder: process.cwd(),
    fetch: globalThis.fetch,
    ...parts,
  });
  return toResult(code, out, error, args);
}

const MAIN = join(import.meta.dirname, "../../../signin/main.ts");

/** Runs a command as its own process, as an operator does. */
export async function cliProcess(
  env: Environment,
  args: string[],
  { input = "", cwd }: { input?: string; cwd?: string } = {},
): Promise<CliResult> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(input);
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
  const isJson = args.includes("--json");
  const lines = isJson ? out.split("\n").filter(Boolean) : [];
  return { code, out, error, json: lines.map((line) => JSON.parse(line)) };
}

/** A new folder for an embedded database; nothing is in it. */
export async function openEmbeddedFolder(): Promise<CliDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-cli-"));
  const path = join(folder, "signin.db");
  const client = openEmbeddedClient({ path, pragmas: ["journal_mode=WAL"] });
  return {
    env: { APP_ENV: "development", SIGNIN_DATA_DIR: folder, TOKEN_ENCRYPTION_KEY: CLI_KEYS.old },
    path,
    db: createDatabase(client),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The same behind a libSQL server; the commands know its address alone. */
export async function openServerDatabase(): Promise<CliDatabase> {
  const embedded = await openEmbeddedFolder();
  const authToken = randomToken();
  const server = await startLibsqlServer({ path: embedded.path, authToken });
  return {
    ...embedded,
    env: {
      DATABASE_URL: server.url,
      DATABASE_AUTH_TOKEN: authToken,
      SIGNIN_DATA_DIR: join(tmpdir(), "roundhouse-cli-nowhere"),
      TOKEN_ENCRYPTION_KEY: CLI_KEYS.old,
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await embedded[Symbol.asyncDispose]();
    },
  };
}
