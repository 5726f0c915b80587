import type { Clock } from "../../shared/clock.ts";
import type { Database } from "../../shared/database.ts";
import { unixNow } from "../db/time.ts";
import {
  AUDIT_RETENTION_SEC,
  CLEANUP_BATCH_ROWS,
  ENDED_KEPT_SEC,
  RATE_WINDOW_SEC_MAX,
} from "../limits.ts";
import { deleteEnded, type EndedKind } from "./store.ts";

// Ended rows are kept for a day: a replay is still recognized, and an operator can inspect them. What has expired is refused without one.
const KEPT_SEC: Record<EndedKind, number> = {
  native_codes: ENDED_KEPT_SEC,
  used_nonces: 0,
  email_codes: ENDED_KEPT_SEC,
  invitations: 0,
  sessions: ENDED_KEPT_SEC,
  rate_limits: RATE_WINDOW_SEC_MAX,
  audit_events: AUDIT_RETENTION_SEC,
};

/**
 * Deletes expired rows, and returns how many of each kind. Each statement deletes a bounded number, so that it can run beside a
 * busy server. `signal` ends it between two statements.
 */
export async function cleanUp(
  { db, clock }: { db: Database; clock: Clock },
  signal?: AbortSignal,
): Promise<Record<EndedKind, number>> {
  const now = unixNow(clock);
  // Every kind of the loop.
  const counts = {} as Record<EndedKind, number>;
  // Object.keys types them as text.
  for (const kind of Object.keys(KEPT_SEC) as EndedKind[]) {
    const step = { before: now - KEPT_SEC[kind], limit: CLEANUP_BATCH_ROWS };
    counts[kind] = await deleteAll(() => deleteEnded(db, kind, step), signal);
  }
  return counts;
}

async function deleteAll(
  deleteBatch: () => Promise<number>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let total = 0;
  for (;;) {
    signal?.throwIfAborted();
    const deleted = await deleteBatch();
    total += deleted;
    if (deleted < CLEANUP_BATCH_ROWS) return total;
  }
}
