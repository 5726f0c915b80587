// `npm run dev`: runs the engine from its sources, and restarts it when one changes. Arguments and variables are the engine's own.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { requireNode, stopWithParent } from "../shared/node/launch.mjs";

requireNode("npm run dev");

const watched = fileURLToPath(new URL("watched-engine.mjs", import.meta.url));
const options = ["--watch", ...process.execArgv, watched, ...process.argv.slice(2)];
const watcher = spawn(process.execPath, options, { stdio: "inherit" });
// Node's watcher passes SIGTERM on and waits. It does not know SIGHUP, and does not see that npm has ended.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"]) {
  process.on(signal, () => watcher.kill("SIGTERM"));
}
watcher.on("exit", (code) => process.exit(code ?? 1));
if (process.env.npm_lifecycle_event !== undefined) stopWithParent();
