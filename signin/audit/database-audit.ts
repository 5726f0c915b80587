import type { Clock } from "../../shared/clock.ts";
import type { Database } from "../../shared/database.ts";
import type { Logger } from "../../shared/log.ts";
import { unixNow } from "../db/time.ts";
import { USER_AGENT_CHARACTERS_MAX } from "../limits.ts";
import { toStoredAddress } from "./address.ts";
import type { AuditEvent, AuditSink } from "./audit.ts";
import { logEvent } from "./log-event.ts";
import { insertEvent } from "./store.ts";

/** The dependencies of the trail; `fullAddresses` is the operator's `AUDIT_FULL_IP`. */
export interface DatabaseAuditDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  fullAddresses: boolean;
}

/** The trail in `audit_events`. */
export function createDatabaseAudit({
  db,
  clock,
  log,
  fullAddresses,
}: DatabaseAuditDeps): AuditSink {
  return {
    async record(event) {
      logEvent(log, event);
      try {
        await insertEvent(db, toRow(event, { at: unixNow(clock), fullAddresses }));
      } catch (error) {
        log.error({ error, type: event.type }, "An audit event could not be stored.");
      }
    },
  };
}

function toRow(
  { type, outcome, userId, sessionId, client, detail }: AuditEvent,
  { at, fullAddresses }: { at: number; fullAddresses: boolean },
) {
  return {
    at,
    type,
    outcome,
    userId: userId ?? null,
    sessionId: sessionId ?? null,
    ipPrefix: client ? toStoredAddress(client.address, { full: fullAddresses }) : null,
    userAgent: client?.userAgent.slice(0, USER_AGENT_CHARACTERS_MAX) || null,
    requestId: client?.requestId ?? null,
    detailJson: detail ? JSON.stringify(detail) : null,
  };
}
