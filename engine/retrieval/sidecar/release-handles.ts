import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Lets go of the files of closed indexes. libSQL closes a file with the last statement that was prepared on it, and a statement
 * ends by being collected alone: so this collects, which also gives back the memory of an index run. For the worker thread.
 */
export async function releaseHandles(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  // Finalizers run in the turn after.
  await nextTurn();
}
