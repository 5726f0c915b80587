import type { Clock } from "../../shared/clock.ts";
import type { Database } from "../../shared/database.ts";
import type { Logger } from "../../shared/log.ts";
import { unixNow } from "../db/time.ts";
import { AUDIT_ROWS_AT_ONCE, USER_AGENT_CHARACTERS_MAX } from "../limits.ts";
import { toStoredAddress } from "./address.ts";
import type { AuditEvent, AuditSink } from "./audit.ts";
import { logEvent } from "./log-event.ts";
import { insertEvents, type NewAuditEvent } from "./store.ts";

/** The dependencies of the trail; `fullAddresses` is the operator's `AUDIT_FULL_IP`. */
interface DatabaseAuditDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  fullAddresses: boolean;
}

/** Events that one statement stores. */
interface Group {
  rows: NewAuditEvent[];
  stored: Promise<void>;
}

/** The trail in `audit_events`. Events of one moment are one statement: on Workers each statement is a request. */
export function createDatabaseAudit({
  db,
  clock,
  log,
  fullAddresses,
}: DatabaseAuditDeps): AuditSink {
  let open: Group | undefined;

  function openGroup(): Group {
    const rows: NewAuditEvent[] = [];
    const group: Group = { rows, stored: Promise.resolve().then(() => store(group)) };
    return group;
  }

  async function store(group: Group): Promise<void> {
    if (open === group) open = undefined;
    try {
      await insertEvents(db, group.rows);
    } catch (error) {
      const types = group.rows.map(({ type }) => type);
      log.error({ error, types }, "An audit event could not be stored.");
    }
  }

  return {
    record(event) {
      logEvent(log, event);
      if (!open || open.rows.length >= AUDIT_ROWS_AT_ONCE) open = openGroup();
      open.rows.push(toRow(event, { at: unixNow(clock), fullAddresses }));
      return open.stored;
    },
  };
}

function toRow(
  { type, outcome, userId, sessionId, client, detail }: AuditEvent,
  { at, fullAddresses }: { at: number; fullAddresses: boolean },
): NewAuditEvent {
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
