import type { SessionRow } from "../db/schema.ts";
import type { RefreshClaims } from "./refresh-token.ts";

/** Whether a session can be used at `now`, in seconds. */
export function isLive(
  {
    revokedAt,
    expiresAt,
    idleExpiresAt,
  }: Pick<SessionRow, "revokedAt" | "expiresAt" | "idleExpiresAt">,
  now: number,
): boolean {
  return revokedAt === null && expiresAt > now && idleExpiresAt > now;
}

/** Whether a token is its session's newest one, or the one before it within the grace for a lost response. */
export function isCurrent(
  state: Pick<SessionRow, "counter" | "rotatedAt">,
  { counter }: Pick<RefreshClaims, "counter">,
  { now, refreshGraceSec }: { now: number; refreshGraceSec: number },
): boolean {
  if (counter === state.counter) return true;
  return state.counter - counter === 1 && now - state.rotatedAt <= refreshGraceSec;
}
