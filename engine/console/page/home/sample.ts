import type { EngineStatus } from "../../../client/client.ts";

/** What the pictures of the home page show of one moment. */
export interface Sample {
  memoryBytes: number;
  /** Requests a second since the sample before; those of the console are among them. */
  requestRate: number;
}

/** A sample from two answers and the time between them; none across a restart of the engine. */
export function sampleOf(
  before: EngineStatus | undefined,
  now: EngineStatus,
  betweenMs: number,
): Sample | undefined {
  if (!before || before.startedAt !== now.startedAt || betweenMs <= 0) return undefined;
  const requestRate = ((now.requests - before.requests) / betweenMs) * 1000;
  return { memoryBytes: now.memory.residentBytes, requestRate };
}
