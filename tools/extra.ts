import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";

/** Installs the packages of `tools/extra`, which `npm ci` leaves out: once, and again if their lock file changed. */
export function installExtra(): void {
  const installed = timeOf("tools/extra/node_modules/.package-lock.json");
  if (installed > timeOf("tools/extra/package-lock.json")) return;
  execFileSync("npm", ["run", "--silent", "extra"], { stdio: ["ignore", "ignore", "inherit"] });
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
