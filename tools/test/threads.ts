import { basename } from "node:path";
import { build } from "esbuild";
import { NODE_BUNDLE } from "../../engine/bundle-options.ts";
import { buildOnce } from "./builds.ts";

const THREADS = [
  "engine/retrieval/worker.ts",
  "engine/retrieval/documents/document-thread.ts",
  "engine/retrieval/watch/watch-thread.ts",
];

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
