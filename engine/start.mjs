#!/usr/bin/env -S node --min-semi-space-size=24 --max-semi-space-size=24
// `npm start` and `roundhouse`: runs the bundle of the engine, rebuilt when a source changed. Plain JavaScript, so that nothing of
// TypeScript is loaded on the way. Arguments and variables are the engine's own (engine/main.ts).
import { readFileSync, statSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { requireNode, stopWithParent } from "../shared/node/launch.mjs";

// The code that the start compiled is kept once the start is over: a killed process would not keep it.
const KEEP_COMPILED_AFTER_MS = 1_000;

const root = fileURLToPath(new URL("..", import.meta.url));
const manifestPath = join(root, ".build", "engine", "bundle.json");

requireNode("npm start");

let bundle = findBundle(isFresh);
if (!bundle) {
  process.stderr.write(
    "Preparing the engine (once after an update): it bundles its sources so that it starts faster.\n",
  );
  // Loaded only here: it costs a start several milliseconds.
  const { spawnSync } = await import("node:child_process");
  const { status } = spawnSync(process.execPath, [join(root, "engine", "bundle.ts")], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  // The next start picks up a file that is saved meanwhile.
  bundle = status === 0 ? findBundle(() => true) : undefined;
  if (!bundle) {
    process.stderr.write("The engine could not be bundled.\n");
    process.exit(1);
  }
}
if (process.env.npm_lifecycle_event !== undefined) stopWithParent();
module.enableCompileCache(join(root, ".build", "compiled"));
setTimeout(() => module.flushCompileCache(), KEEP_COMPILED_AFTER_MS).unref();
await import(pathToFileURL(bundle).href);

/** The path of the bundle, if there is one of files that suit. */
function findBundle(suits) {
  try {
    const { main, inputs } = JSON.parse(readFileSync(manifestPath, "utf8"));
    return inputs.every(suits) && statSync(join(root, main)) ? join(root, main) : undefined;
  } catch {
    return undefined;
  }
}

function isFresh([path, mtimeMs, size]) {
  // Not `join`: over hundreds of paths it becomes hot, and the compiler that V8 then starts costs 7 MiB and 10 ms.
  const now = statSync(root + path);
  return now.mtimeMs === mtimeMs && now.size === size;
}
