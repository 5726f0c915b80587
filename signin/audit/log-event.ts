import type { Logger } from "../../shared/log.ts";
import { toStoredAddress } from "./address.ts";
import type { AuditEvent } from "./audit.ts";

/** What a log line says of something that happened: an audit event, or one that the trail has not. */
type LoggedEvent = Omit<AuditEvent, "type"> & {
  type: AuditEvent["type"] | "mail.sent" | "ratelimit.hit";
};

/** The log line of an event: ids and the network, never an address. Rotations are too frequent for `info`. */
export function logEvent(
  log: Logger,
  { type, outcome, userId, sessionId, client, detail }: LoggedEvent,
): void {
  const fields = {
    event: type,
    outcome,
    user_id: userId,
    session_id: sessionId,
    network: client && toStoredAddress(client.address, { full: false }),
    request_id: client?.requestId,
    detail,
  };
  log[type === "session.refreshed" ? "debug" : "info"](fields, "Audit event.");
}
