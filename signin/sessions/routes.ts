import { createRoute } from "@hono/zod-openapi";
import { errors, noContent, ok } from "../../shared/http/responses.ts";
import { unixNow } from "../db/time.ts";
import { bearerRoute, userOf } from "../http/current-user.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { revokeSession } from "./revoke.ts";
import { listLiveSessions } from "./store.ts";
import { SessionId, SessionList, toSession } from "./wire.ts";

const getSessions = createRoute({
  method: "get",
  path: "/auth/sessions",
  ...bearerRoute,
  responses: { ...ok(SessionList), ...errors(401) },
});

const deleteSession = createRoute({
  method: "delete",
  path: "/auth/sessions/{id}",
  ...bearerRoute,
  request: { params: SessionId },
  responses: { ...noContent, ...errors(401, 404) },
});

/** The user's own sessions. */
export function sessionRoutes() {
  return createRouter()
    .openapi(getSessions, async (c) => {
      const { db, clock } = scopeOf(c);
      const { userId, sessionId } = userOf(c);
      const rows = await listLiveSessions(db, { userId, now: unixNow(clock) });
      return c.json({ sessions: rows.map((row) => toSession(row, sessionId)) }, 200);
    })
    .openapi(deleteSession, async (c) => {
      await revokeSession(scopeOf(c), { userId: userOf(c).userId, id: c.req.valid("param").id });
      return c.body(null, 204);
    });
}
