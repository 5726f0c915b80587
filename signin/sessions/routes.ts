import { errors, noContent, ok } from "../../shared/http/responses.ts";
import { get, remove } from "../../shared/http/route.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { notFound } from "../errors.ts";
import { bearerRoute, userOf } from "../http/current-user.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { revokeSessions } from "../tokens/session-store.ts";
import { listLiveSessions } from "./store.ts";
import { SessionId, SessionList, toSession } from "./wire.ts";

/** The user's own sessions. */
export function sessionRoutes() {
  return createRouter("sessions", [
    get("/auth/sessions", {
      operationId: "listSessions",
      summary: "List the sessions of the user",
      description: "The session of this request is marked as current.",
      ...bearerRoute,
      responses: { ...ok(SessionList), ...errors(401) },
      handler: async (c) => {
        const { db, clock } = scopeOf(c);
        const { userId, sessionId } = userOf(c);
        const rows = await listLiveSessions(db, { userId, now: unixNow(clock) });
        return c.json({ sessions: rows.map((row) => toSession(row, sessionId)) }, 200);
      },
    }),
    remove("/auth/sessions/{id}", {
      operationId: "deleteSession",
      summary: "End one of the user's own sessions",
      description: "Its tokens are invalid from then on.",
      ...bearerRoute,
      request: { params: SessionId },
      responses: { ...noContent, ...errors(401, 404) },
      handler: async (c) => {
        await revokeSession(scopeOf(c), { userId: userOf(c).userId, id: c.req.valid("param").id });
        return c.body(null, 204);
      },
    }),
  ]);
}

type RevokeDeps = Pick<Scope, "db" | "clock" | "record">;

/**
 * Ends one session of a user. Another user's session, an unknown and an ended one get the same failure.
 * @throws SigninError `not_found`
 */
async function revokeSession(
  { db, clock, record }: RevokeDeps,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  const reason = "user_request";
  const ended = await revokeSessions(db, { id, userId }, { reason, now: unixNow(clock) });
  if (ended.length === 0) throw notFound("Session");
  const event = { type: "session.revoked", outcome: "success" } as const;
  record({ ...event, userId, sessionId: id, detail: { reason } });
}
