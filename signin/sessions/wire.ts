import { z } from "@hono/zod-openapi";
import { toTime } from "../db/time.ts";
import type { LiveSession } from "./store.ts";

/** A session of the user. `current` marks that of the request. */
export const Session = z
  .object({
    id: z.string().describe("The id of the session."),
    kind: z
      .enum(["browser", "native", "password", "code"])
      .describe("The kind of sign-in that began it."),
    created_at: z.string().describe("When it began, ISO-8601 in UTC."),
    last_seen_at: z.string().describe("When it was last used, ISO-8601 in UTC."),
    network: z
      .string()
      .nullable()
      .describe("The network that it began in, shortened; null where it is unknown."),
    user_agent: z
      .string()
      .nullable()
      .describe("The `User-Agent` that it began with; null where there was none."),
    current: z.boolean().describe("Whether it is the session of this request."),
  })
  .openapi("Session", { description: "A session of the user." });
export type Session = z.infer<typeof Session>;

/** `GET /auth/sessions`. */
export const SessionList = z
  .object({ sessions: z.array(Session).describe("The sessions.") })
  .openapi("SessionList", { description: "The live sessions of the user." });

export const SessionId = z.object({ id: z.string().describe("The id of the session.") });

export function toSession(row: LiveSession, currentId: string): Session {
  return {
    id: row.id,
    kind: row.kind,
    created_at: toTime(row.createdAt),
    last_seen_at: toTime(row.lastSeenAt),
    network: row.ipPrefix,
    user_agent: row.userAgent,
    current: row.id === currentId,
  };
}
