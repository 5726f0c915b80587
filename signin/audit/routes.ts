import { createRoute } from "@hono/zod-openapi";
import { errors, ok } from "../../shared/http/responses.ts";
import { bearerRoute, userOf } from "../http/current-user.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { EVENTS_LISTED_MAX, STRANGERS_EVENTS_LISTED_MAX } from "../limits.ts";
import { listEvents } from "./store.ts";
import { SigninEventList, toSigninEvent } from "./wire.ts";

const getEvents = createRoute({
  method: "get",
  path: "/auth/events",
  ...bearerRoute,
  responses: { ...ok(SigninEventList), ...errors(401) },
});

/** The user's own audit trail. */
export function auditRoutes() {
  return createRouter().openapi(getEvents, async (c) => {
    const { userId } = userOf(c);
    const limits = { limit: EVENTS_LISTED_MAX, strangers: STRANGERS_EVENTS_LISTED_MAX };
    const rows = await listEvents(scopeOf(c).db, { userId, ...limits });
    return c.json({ events: rows.map(toSigninEvent) }, 200);
  });
}
