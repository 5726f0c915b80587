import type { Database } from "../../shared/database.ts";
import { enabledRoots, findRootProblem } from "../workspaces/roots.ts";
import { listCheckedWorkspaces } from "./checked-store.ts";
import { type Finding, warning } from "./finding.ts";
import { CHECKED_ROOTS_MAX } from "./limits.ts";

/** The paths of the roots that retrieval uses, each once. */
export async function listCheckedRoots(db: Database): Promise<string[]> {
  const rows = await listCheckedWorkspaces(db, CHECKED_ROOTS_MAX);
  const paths = new Set(rows.flatMap((row) => enabledRoots(row).map(({ path }) => path)));
  return [...paths].slice(0, CHECKED_ROOTS_MAX);
}

/** Whether a root is there; undefined if it can be read. */
export async function findRootFault(path: string): Promise<Finding | undefined> {
  const problem = await findRootProblem(path);
  if (problem === undefined) return undefined;
  return warning(`root ${path}`, `It ${problem}.`, "Change the folders of its workspace.");
}
