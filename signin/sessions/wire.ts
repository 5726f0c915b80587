import { z } from "@hono/zod-openapi";
import { toTime } from "../db/time.ts";
import type { LiveSession } from "./store.ts";

/** A session of the user. `current` marks that of the request. */
export const Session = z
  .object({
    id: z.string(),
    kind: z.enum(["browser", "native", "password", "code"]),
    created_at: z.string(),
    last_seen_at: z.string(),
    network: z.string().nullable(),
    user_agent: z.string().nullable(),
    current: z.boolean(),
  })
  .openapi("Session");
export type Session = z.infer<typeof Session>;

/** `GET /auth/sessions`. */
export const SessionList = z.object({ sessions: z.array(Session) }).openapi("SessionList");

export const SessionId = z.object({ id: z.string() });

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
