import { execFile } from "node:child_process";
import { basename } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { NODE_BUNDLE, THREADS } from "../../engine/bundle-options.ts";
import { buildOnce } from "./builds.ts";

/** Bundles the programs of the engine's threads. Returns their folder, for the variable TEST_THREADS (tools/compile-cache.mjs). */
export function buildThreads(): Promise<string> {
  return buildOnce({
    name: "test-threads",
    sources: ["shared", "engine"],
    make: (outdir) =>
      build({
        ...NODE_BUNDLE,
        entryPoints: THREADS.map((path) => ({ in: path, out: basename(path, ".ts") })),
        outdir,
        // Native code is loaded from node_modules.
        external: ["@libsql/*", "libsql"],
      }),
  });
}

/** Bundles the engine where it changed since: else the first processes that start one do so at once, each for itself. */
export async function buildEngine(signal: AbortSignal): Promise<void> {
  await promisify(execFile)(process.execPath, ["engine/start.mjs", "--version"], { signal });
}
