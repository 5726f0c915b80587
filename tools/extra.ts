import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { promisify } from "node:util";

/**
 * Installs the packages of `tools/extra`, which `npm ci` leaves out: once, and again if their lock file changed. Its
 * `devDependencies` write the steps of the databases: tests need none of them. Rejects if npm fails, or if the signal is aborted.
 */
export async function installExtra({ dev }: { dev: boolean }, signal?: AbortSignal): Promise<void> {
  const installed = timeOf("tools/extra/node_modules/.package-lock.json");
  const isComplete = !dev || existsSync("tools/extra/node_modules/drizzle-kit");
  if (isComplete && installed > timeOf("tools/extra/package-lock.json")) return;
  const omit = dev ? [] : ["--", "--omit=dev"];
  await promisify(execFile)("npm", ["run", "--silent", "extra", ...omit], { signal });
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
