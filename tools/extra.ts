import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { promisify } from "node:util";

/**
 * Installs the packages of `tools/extra`, which `npm ci` leaves out: once, and again if their lock file changed. Rejects if npm
 * fails, or if the signal is aborted.
 */
export async function installExtra(signal?: AbortSignal): Promise<void> {
  const installed = timeOf("tools/extra/node_modules/.package-lock.json");
  if (installed > timeOf("tools/extra/package-lock.json")) return;
  await promisify(execFile)("npm", ["run", "--silent", "extra"], { signal });
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
