import { errors, ok } from "../../shared/http/responses.ts";
import { get } from "../../shared/http/route.ts";
import { bearerRoute, userOf } from "../http/current-user.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { EVENTS_LISTED_MAX, STRANGERS_EVENTS_LISTED_MAX } from "../limits.ts";
import { listEvents } from "./store.ts";
import { SigninEventList, toSigninEvent } from "./wire.ts";

/** The user's own audit trail. */
export function auditRoutes() {
  return createRouter("events", [
    get("/auth/events", {
      operationId: "listEvents",
      summary: "List the events of the user's own account, newest first",
      description:
        "The last 100 at most, of which at most 25 are codes sent or attempts refused. Addresses of clients are shortened.",
      ...bearerRoute,
      responses: { ...ok(SigninEventList), ...errors(401) },
      handler: async (c) => {
        const { userId } = userOf(c);
        const limits = { limit: EVENTS_LISTED_MAX, strangers: STRANGERS_EVENTS_LISTED_MAX };
        const rows = await listEvents(scopeOf(c).db, { userId, ...limits });
        return c.json({ events: rows.map(toSigninEvent) }, 200);
      },
    }),
  ]);
}
