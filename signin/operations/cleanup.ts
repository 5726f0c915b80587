import type { Clock } from "../../shared/clock.ts";
import type { Database } from "../../shared/database.ts";
import { deleteOldEvents } from "../audit/store.ts";
import type { CleanupStep } from "../db/delete-rows.ts";
import { unixNow } from "../db/time.ts";
import {
  AUDIT_RETENTION_SEC,
  CLEANUP_BATCH_ROWS,
  ENDED_KEPT_SEC,
  RATE_WINDOW_SEC_MAX,
} from "../limits.ts";
import { deleteOldCodes } from "../passwords/code-store.ts";
import { deleteOldCounters } from "../rate-limits/store.ts";
import { deleteOldSessions } from "../sessions/store.ts";
import { deleteOldChallenges, deleteOldFlows, deleteOldNativeCodes } from "./store.ts";

/** The deleted rows of each kind. */
export type CleanupCounts = Record<keyof typeof KINDS, number>;

type DeleteBatch = (db: Database, step: CleanupStep) => Promise<number>;

// Ended rows are kept for a day: a replay is still recognized, and an operator can inspect them. A used challenge has no row.
const KINDS = {
  flows: { keptSec: ENDED_KEPT_SEC, deleteBatch: deleteOldFlows },
  native_codes: { keptSec: ENDED_KEPT_SEC, deleteBatch: deleteOldNativeCodes },
  passkey_challenges: { keptSec: 0, deleteBatch: deleteOldChallenges },
  email_codes: { keptSec: ENDED_KEPT_SEC, deleteBatch: deleteOldCodes },
  sessions: { keptSec: ENDED_KEPT_SEC, deleteBatch: deleteOldSessions },
  rate_limits: { keptSec: RATE_WINDOW_SEC_MAX, deleteBatch: deleteOldCounters },
  audit_events: { keptSec: AUDIT_RETENTION_SEC, deleteBatch: deleteOldEvents },
} satisfies Record<string, { keptSec: number; deleteBatch: DeleteBatch }>;

/**
 * Deletes expired rows. Each statement deletes a bounded number, so that it can run beside a busy server. `signal` ends it
 * between two statements.
 */
export async function cleanUp(
  { db, clock }: { db: Database; clock: Clock },
  signal?: AbortSignal,
): Promise<CleanupCounts> {
  const now = unixNow(clock);
  const counts = {
    flows: 0,
    native_codes: 0,
    passkey_challenges: 0,
    email_codes: 0,
    sessions: 0,
    rate_limits: 0,
    audit_events: 0,
  };
  for (const [kind, { keptSec, deleteBatch }] of Object.entries(KINDS)) {
    for (;;) {
      signal?.throwIfAborted();
      const deleted = await deleteBatch(db, { before: now - keptSec, limit: CLEANUP_BATCH_ROWS });
      // Object.entries types its keys as text.
      counts[kind as keyof CleanupCounts] += deleted;
      if (deleted < CLEANUP_BATCH_ROWS) break;
    }
  }
  return counts;
}
