import type { EngineDeps } from "../deps.ts";
import { dataDirectoryAt } from "../runtime/data-directory.ts";
import { type Finding, fine, warning } from "./finding.ts";
import { RUNNING_CHECKS_MS_MAX } from "./limits.ts";
import { checkDirectory, checkDisk } from "./place-checks.ts";
import { findRootFault, listCheckedRoots } from "./root-places.ts";
import { checkClock, checkEmbeddings, checkModels } from "./server-checks.ts";

/**
 * What `doctor` looks at, as far as a running engine can look at it without work that others wait for: no page of the database
 * is read, no index opened, no model asked and no key loaded. It takes less than two seconds, and changes nothing.
 */
export async function examineRunning(
  { config, db }: Pick<EngineDeps, "config" | "db">,
  signal: AbortSignal,
): Promise<Finding[]> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(RUNNING_CHECKS_MS_MAX)]);
  const directory = dataDirectoryAt(config.dataDirectory);
  const found = await Promise.all([
    checkDirectory(directory),
    checkDisk(directory),
    checkModels(db, undefined, until),
    checkEmbeddings(config.embeddings, until),
    checkRootPlaces(db, until),
    checkClock(config.accountUrl, until),
  ]);
  signal.throwIfAborted();
  return found.flat();
}

async function checkRootPlaces(db: EngineDeps["db"], until: AbortSignal): Promise<Finding[]> {
  const check = "folders";
  const paths = await listCheckedRoots(db);
  const faults: Finding[] = [];
  for (const path of paths) {
    // A folder of a network that is away can take long.
    if (until.aborted) {
      return [...faults, warning(check, "Some could not be checked in time.", "Check their disk.")];
    }
    const fault = await findRootFault(path);
    if (fault) faults.push(fault);
  }
  if (faults.length > 0) return faults;
  return [fine(check, paths.length === 0 ? "No folder is indexed." : "All indexed folders exist.")];
}
