import { enableCompileCache, registerHooks } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";
import "../shared/node/quick-drizzle.mjs";

// Each test file is a process that loads most of a program. With the cache it neither strips types nor compiles again.
enableCompileCache(fileURLToPath(new URL("../.build/compile-cache", import.meta.url)));

// Tests start hundreds of threads. `npm test` has bundled their programs, which load in half of the time (tools/test/bundles.ts).
const { TEST_THREADS } = process.env;
const RETRIEVAL = new URL("../engine/retrieval/", import.meta.url).href;
if (!isMainThread && TEST_THREADS) {
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context;
      // Only the program itself has no parent, but for the one that hangs.
      const isThread = parentURL === undefined || parentURL.endsWith("/hanging-worker.ts");
      if (!isThread || !specifier.startsWith(RETRIEVAL)) return next(specifier, context);
      return next(
        pathToFileURL(join(TEST_THREADS, `${basename(specifier, ".ts")}.mjs`)).href,
        context,
      );
    },
  });
}
