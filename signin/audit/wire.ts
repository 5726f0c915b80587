import { z } from "@hono/zod-openapi";
import type { AuditEventRow } from "../db/schema.ts";
import { toTime } from "../db/time.ts";

/** An event of the user's account. Fields that an event does not have are null. */
export const SigninEvent = z
  .object({
    at: z.string().describe("When it happened, ISO-8601 in UTC."),
    type: z.string().describe("What happened, such as `session.created`."),
    outcome: z.enum(["success", "failure"]).describe("Whether it succeeded."),
    session_id: z.string().nullable().describe("The id of its session."),
    network: z.string().nullable().describe("The shortened address of the client."),
    user_agent: z
      .string()
      .nullable()
      .describe("The `User-Agent` header of the client, at most 256 characters."),
    detail: z
      .record(z.string(), z.unknown())
      .describe("Further facts by name, depending on the type."),
  })
  .openapi("SigninEvent", {
    description: "One event of the account. A field that does not apply is null.",
  });
export type SigninEvent = z.infer<typeof SigninEvent>;

/** `GET /auth/events`. */
export const SigninEventList = z
  .object({ events: z.array(SigninEvent).describe("At most 100 events, newest first.") })
  .openapi("SigninEventList", { description: "The last events of the account." });

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
