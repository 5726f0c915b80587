import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { z } from "zod";
import { CommandFailed } from "../../shared/cli/output.ts";
import type { Environment } from "../../shared/env.ts";
import { parseJson } from "../../shared/json.ts";
import { WRANGLER_OUTPUT_BYTES_MAX } from "../limits.ts";

/** Runs wrangler, the program that deploys Workers. */
export interface Wrangler {
  run(args: readonly string[], options?: { input?: string | undefined }): Promise<WranglerResult>;
}

export interface WranglerResult {
  code: number | null;
  out: string;
  error: string;
}

const Refusal = z.object({ error: z.object({ text: z.string() }) });

// Secrets of the server are none of wrangler's business: it gets those that it should store over standard input.
const SECRETS =
  /^(JWT_SECRET_KEY|TOKEN_ENCRYPTION_KEY|DATABASE_AUTH_TOKEN|MAIL_HTTP_TOKEN|MAIL_SMTP_URL|METRICS_TOKEN)$|\w_CLIENT_SECRET$/;

interface WranglerOptions {
  env: Environment;
  folder: string;
  signal: AbortSignal;
}

/** The wrangler on PATH, which npm sets to the packages of this project. It ends when `signal` says so. */
export function createWrangler({ env, folder, signal }: WranglerOptions): Wrangler {
  const own = Object.entries(env).filter(([name]) => !SECRETS.test(name));
  const settings = { WRANGLER_SEND_METRICS: "false", CI: "1", NO_COLOR: "1", FORCE_COLOR: "0" };
  // wrangler refuses an old Node: it gets this one.
  const path = [dirname(process.execPath), env.PATH].filter(Boolean).join(delimiter);
  return {
    async run(args, { input } = {}) {
      const child = spawn(resolveWrangler(env), args, {
        cwd: folder,
        env: { ...Object.fromEntries(own), ...settings, PATH: path },
        stdio: ["pipe", "pipe", "pipe"],
        signal,
        // A script of npm on Windows.
        shell: process.platform === "win32",
      });
      return collect(child, input);
    },
  };
}

/** @throws CommandFailed if it is not installed */
function resolveWrangler({ PATH = "" }: Environment): string {
  const name = process.platform === "win32" ? "wrangler.cmd" : "wrangler";
  const own = join(import.meta.dirname, "../../node_modules/.bin");
  const folder = [...PATH.split(delimiter), own].find((each) => existsSync(join(each, name)));
  if (folder === undefined) {
    throw new CommandFailed(
      "This command needs wrangler, a package for development. Run `npm ci` without --omit=dev.",
    );
  }
  return join(folder, name);
}

function collect(child: ChildProcess, input: string | undefined): Promise<WranglerResult> {
  const chunks = { out: "", error: "" };
  const keep = (kind: keyof typeof chunks) => (chunk: string) => {
    if (chunks[kind].length < WRANGLER_OUTPUT_BYTES_MAX) chunks[kind] += chunk;
  };
  child.stdout?.setEncoding("utf8").on("data", keep("out"));
  child.stderr?.setEncoding("utf8").on("data", keep("error"));
  // It may end before it has read everything.
  child.stdin?.on("error", () => {});
  child.stdin?.end(input ?? "");
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...chunks }));
  });
}

/** The JSON of an output. What wrangler prints before it is left out. */
export function parseWranglerJson(text: string): unknown {
  return parseJson(text.slice(Math.max(0, text.search(/^[[{]/m))));
}

/** wrangler's own sentence about a failure. */
export function reasonOfWrangler({ out, error }: Pick<WranglerResult, "out" | "error">): string {
  const refusal = Refusal.safeParse(parseWranglerJson(out));
  const text = refusal.success ? refusal.data.error.text : `${error}\n${out}`;
  const lines = text
    .split("\n")
    .flatMap((line) => line.replace(/^\W*(\[?ERROR\]?)?\s*/, "").trim() || []);
  return `wrangler: ${lines[0] ?? "it gave no reason"}`;
}
