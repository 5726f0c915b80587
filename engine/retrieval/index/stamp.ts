import type { BigIntStats } from "node:fs";

// A file that was written this shortly before a run may be written once more within the same tick of its clock.
const TRUSTED_AGE_MS = 2_000n;

/** Size and times of a file; null where they are too fresh to tell the next change by (git calls such entries racy). */
export function stampOf(stats: BigIntStats, runStartedMs: number): string | null {
  const racy = stats.mtimeMs + TRUSTED_AGE_MS > BigInt(runStartedMs);
  return racy ? null : currentStamp(stats);
}

export function currentStamp({ size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ctimeNs}`;
}
