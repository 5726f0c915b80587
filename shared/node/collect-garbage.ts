import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects garbage now, and releases the native objects that only garbage held: all of it, which takes the longer the larger the
 * heap is, or what is young ("minor").
 */
export async function collectGarbage(type: "major" | "minor" = "major"): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect: (options: { type: string }) => void = runInNewContext("gc");
  collect({ type });
  // Node releases native objects in the next turn of the event loop.
  await setImmediate();
}
