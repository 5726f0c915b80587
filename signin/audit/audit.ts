import type { ClientInfo } from "./client-info.ts";

/** Everything that the audit trail can tell (design of the sign-in server, audit). */
export type AuditType =
  | "login.success"
  | "login.failure"
  | "signup.code_sent"
  | "signup.completed"
  | "identity.linked"
  | "identity.unlinked"
  | "identity.rejected"
  | "apikey.connected"
  | "apikey.removed"
  | "session.created"
  | "session.refreshed"
  | "session.revoked"
  | "session.reuse_detected"
  | "native.code_issued"
  | "native.exchanged"
  | "native.rejected"
  | "email.changed"
  | "password.changed"
  | "password.reset"
  | "password.reset_code_sent"
  | "mail.failed"
  | "ratelimit.hit"
  | `admin.${string}`;

/** One thing that happened. `detail` is for facts such as a provider slug: never a secret, a code or an address. */
export interface AuditEvent {
  type: AuditType;
  outcome: "success" | "failure";
  userId?: string | undefined;
  sessionId?: string | undefined;
  client?: ClientInfo | undefined;
  detail?: Readonly<Record<string, string | number | boolean | null>> | undefined;
}

/** Where events go. A required dependency: nothing that authenticates can be built without one. */
export interface AuditSink {
  /** Settles once the event is stored; never rejects, so that a failing trail locks no user out. */
  record(event: AuditEvent): Promise<void>;
}
