import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildOnce } from "../../tools/test/builds.ts";
import { QUICK_HASHES, replaceLimits } from "./signin/program.ts";

const ROOT = join(import.meta.dirname, "../..");
// Those of wrangler.toml, which a test holds to them (test/whole/signin-worker.test.ts).
export const COMPATIBILITY = { date: "2026-11-01", flags: ["nodejs_compat"] };

/** A Worker hashes one password after the other, with pauses: 400 ms each. */
const QUICK_LIMITS = { ...QUICK_HASHES, WORKER_HASH_INTERVAL_MS: 20, WORKER_HASH_REST_MS: 10 };

const D1_NAME = "signin";

/** Of the bundle; B-BUILD-3 has its parts. */
export const WORKER_GZIP_BYTES_MAX = 400 * 1024;

/** A Worker in workerd, under Miniflare. */
export interface RunningWorker extends AsyncDisposable {
  url: string;
  /** Everything that it wrote. */
  output(): string;
  /** What `DB` is bound to, where a test asked for it. */
  d1?: D1Binding;
}

/** The Worker would not start; `message` is what it said. */
export class WorkerRefused extends Error {
  override name = "WorkerRefused";
}

/**
 * Bundles the Worker as `wrangler deploy` would, with its configuration file, and returns the file. It is built once for all
 * test files of a tree.
 */
export async function buildWorker(): Promise<string> {
  const folder = await buildOnce({
    name: "signin-worker",
    sources: ["wrangler.toml", "shared", "signin"],
    make: (folder) => bundleWorker(join(ROOT, "wrangler.toml"), folder),
  });
  return join(folder, "worker.js");
}

/**
 * The same Worker with quick hashes, for tests whose subject is not their cost. It is bundled with a D1 database: wrangler.toml says
 * which lines are uncommented for one. @throws where wrangler warns of anything
 */
export async function buildQuickWorker(): Promise<string> {
  const folder = await buildOnce({
    name: "signin-worker-quick",
    sources: ["wrangler.toml", "shared", "signin"],
    variant: JSON.stringify(QUICK_LIMITS),
    async make(folder) {
      const config = join(folder, "wrangler.toml");
      await mkdir(folder, { recursive: true });
      await writeFile(config, await readConfigWithD1());
      // Minified code has no names of constants.
      const path = await bundleWorker(config, folder, "--minify=false");
      await writeFile(path, replaceLimits(await readFile(path, "utf8"), path, QUICK_LIMITS));
    },
  });
  return join(folder, "worker.js");
}

async function readConfigWithD1(): Promise<string> {
  const text = await readFile(join(ROOT, "wrangler.toml"), "utf8");
  const lines = /^# (\[\[d1_databases\]\]|binding = "DB"|database_(?:name|id) = .*)$/gm;
  if ([...text.matchAll(lines)].length !== 4)
    throw new Error("wrangler.toml has other lines of D1.");
  const withD1 = text.replaceAll(lines, "$1").replaceAll('"./', `"${ROOT}/`);
  return withD1.replaceAll('"signin/', `"${ROOT}/signin/`);
}

/** Bundles with this configuration. @throws where wrangler fails, or warns of anything */
export async function bundleWorker(
  config: string,
  folder: string,
  ...options: string[]
): Promise<string> {
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const args = [
    wrangler,
    "deploy",
    "--dry-run",
    "--outdir",
    folder,
    "--config",
    config,
    ...options,
  ];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false", NO_COLOR: "1" },
  });
  if (/WARNING|deprecated/i.test(stdout + stderr)) throw new Error(stdout + stderr);
  return join(folder, "worker.js");
}

function floodLimit(limit: number) {
  return { FLOOD_LIMIT: { namespace_id: "1001", simple: { limit, period: 60 as const } } };
}

/** @throws WorkerRefused where the Worker does not start. */
export async function startWorker(options: {
  file: string;
  port?: number;
  bindings: Record<string, string>;
  /** The flood limit of wrangler.toml, where a test has one: requests a minute. */
  floodLimit?: number;
  /** With an empty D1 database as `DB`. */
  hasD1?: boolean;
}): Promise<RunningWorker> {
  // Most tests that import this file start no Worker.
  const { convertV4MiniflareOptions, Miniflare } = await import("miniflare");
  const lines: string[] = [];
  const signin = {
    name: "signin",
    modules: true as const,
    script: await readFile(options.file, "utf8"),
    compatibilityDate: COMPATIBILITY.date,
    compatibilityFlags: COMPATIBILITY.flags,
    bindings: options.bindings,
    ...(options.hasD1 ? { d1Databases: { DB: D1_NAME } } : {}),
    ...(options.floodLimit === undefined ? {} : { ratelimits: floodLimit(options.floodLimit) }),
  };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: options.hasD1 ? [signin, d1Worker(D1_NAME)] : [signin],
      host: "127.0.0.1",
      port: options.port ?? 0,
      cf: false,
      telemetry: { enabled: false },
      logRequests: false,
      handleStructuredLogs: ({ message }) => lines.push(message),
    }),
  );
  try {
    const url = await miniflare.ready;
    return {
      url: url.origin,
      output: () => lines.join("\n"),
      ...(options.hasD1 ? { d1: openD1(await miniflare.unsafeGetDirectURL("d1")) } : {}),
      [Symbol.asyncDispose]: () => miniflare.dispose(),
    };
  } catch (error) {
    // What did not start is taken down all the same, and complains once more.
    await miniflare.dispose().catch(() => {});
    throw new WorkerRefused(
      `${error instanceof Error ? error.message : error}\n${lines.join("\n")}`,
    );
  }
}

/** Runs the statements that it gets, in one transaction, on `DB`. */
const SCRIPT = `export default {
  async fetch(request, { DB }) {
    try {
      const statements = await request.json();
      return Response.json(await DB.batch(statements.map(({ sql, args }) => DB.prepare(sql).bind(...args))));
    } catch (error) {
      return new Response(error.message, { status: 500 });
    }
  },
};`;

/** A Worker for Miniflare that `openD1` talks to, beside those of a test. */
export function d1Worker(name: string) {
  return {
    name: "d1",
    modules: true as const,
    script: SCRIPT,
    compatibilityDate: COMPATIBILITY.date,
    d1Databases: { DB: name },
    unsafeDirectSockets: [{ host: "127.0.0.1" }],
  };
}

interface Statement {
  sql: string;
  args: unknown[];
}

/**
 * The database of that Worker. Miniflare's own binding asks workerd three times for a statement, and blocks the thread meanwhile:
 * it took a third of the time of the tests.
 */
export function openD1(url: URL): D1Binding {
  const batch = async (statements: Statement[]) => {
    const answer = await fetch(url, { method: "POST", body: JSON.stringify(statements) });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { results: Record<string, unknown>[] }[];
  };
  const prepare = (sql: string, ...args: unknown[]) => ({
    ...{ sql, args },
    bind: (...values: unknown[]) => prepare(sql, ...values),
    async raw() {
      const [{ results } = { results: [] }] = await batch([{ sql, args }]);
      return [Object.keys(results[0] ?? {}), ...results.map((row) => Object.values(row))];
    },
  });
  return { prepare, batch } as unknown as D1Binding;
}
