import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Closes the files of closed indexes. libSQL closes a file with its last statement, and a statement only ends by garbage
 * collection: so this collects, which also frees the memory of an index run. For the worker thread.
 */
export async function releaseHandles(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  // Finalizers run in the turn after.
  await nextTurn();
}
