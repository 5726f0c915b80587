import type { ClientInfo } from "./client-info.ts";

/** The types of audit events. */
export type AuditType =
  | "login.success"
  | "login.failure"
  | "login.code_sent"
  | "signup.code_sent"
  | "signup.completed"
  | "identity.linked"
  | "identity.confirmed"
  | "identity.unlinked"
  | "identity.rejected"
  | "apikey.connected"
  | "apikey.removed"
  | "passkey.added"
  | "passkey.removed"
  | "passkey.counter"
  | "second_factor.enabled"
  | "second_factor.disabled"
  | "second_factor.rejected"
  | "second_factor.recovery_code_used"
  | "second_factor.recovery_codes_created"
  | "session.created"
  | "session.refreshed"
  | "session.revoked"
  | "session.reuse_detected"
  | "session.reauthenticated"
  | "session.code_sent"
  | "native.code_issued"
  | "native.exchanged"
  | "native.rejected"
  | "email.changed"
  | "email.code_sent"
  | "account.deleted"
  | "account.delete_code_sent"
  | "account.exported"
  | "password.changed"
  | "password.code_sent"
  | "password.reset"
  | "password.reset_code_sent"
  | "mail.failed"
  | `admin.${string}`;

/** An audit event. `detail` has facts such as a provider slug: never a secret, a code or an address. */
export interface AuditEvent {
  type: AuditType;
  outcome: "success" | "failure";
  userId?: string | undefined;
  sessionId?: string | undefined;
  client?: ClientInfo | undefined;
  detail?: Readonly<Record<string, string | number | boolean | null>> | undefined;
}

/** The destination of events. */
export interface AuditSink {
  /** Settles once the event is stored. Never rejects, so that a failing trail locks no user out. */
  record(event: AuditEvent): Promise<void>;
}
