import { z } from "@hono/zod-openapi";
import type { AuditEventRow } from "../db/schema.ts";
import { toTime } from "../db/time.ts";

/** An event of the user's account. Fields that an event does not have are null. */
export const SigninEvent = z
  .object({
    at: z.string(),
    type: z.string(),
    outcome: z.enum(["success", "failure"]),
    session_id: z.string().nullable(),
    network: z.string().nullable(),
    user_agent: z.string().nullable(),
    detail: z.record(z.string(), z.unknown()),
  })
  .openapi("SigninEvent");
export type SigninEvent = z.infer<typeof SigninEvent>;

/** `GET /auth/events`. */
export const SigninEventList = z
  .object({ events: z.array(SigninEvent) })
  .openapi("SigninEventList");

export function toSigninEvent(row: AuditEventRow): SigninEvent {
  return {
    at: toTime(row.at),
    type: row.type,
    outcome: row.outcome,
    session_id: row.sessionId,
    network: row.ipPrefix,
    user_agent: row.userAgent,
    // Written by this server alone, as an object.
    detail: row.detailJson === null ? {} : (JSON.parse(row.detailJson) as Record<string, unknown>),
  };
}
