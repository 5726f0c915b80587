import { createRoute } from "@hono/zod-openapi";
import { errors } from "../../shared/http/responses.ts";
import { ErrorBody } from "../../shared/http/wire.ts";
import type { EngineDeps } from "../deps.ts";
import { tooMany } from "../errors.ts";
import {
  eventStreamContent,
  eventStreamResponse,
  resumeIdOf,
  resumeRequest,
} from "../http/event-stream.ts";
import { createRouter } from "../http/router.ts";
import type { EventStreams } from "./event-streams.ts";

const getStream = createRoute({
  method: "get",
  path: "/stream",
  responses: eventStreamContent,
});

const getChanges = createRoute({
  method: "get",
  path: "/changes",
  request: resumeRequest,
  responses: { ...eventStreamContent, ...errors(429) },
});

const getEvents = createRoute({
  method: "get",
  path: "/events",
  responses: {
    101: { description: "The connection is a WebSocket now" },
    // A handshake is answered with 101 alone. Checkers of documents want a success.
    "2XX": { description: "Does not occur: a handshake is answered with 101" },
    426: {
      description: "Not a WebSocket handshake",
      content: { "application/json": { schema: ErrorBody } },
    },
  },
});

/** The event streams (Engine §4), and the answer at the WebSocket's path to a request without a handshake. */
export function realtimeRoutes({ changes }: Pick<EngineDeps, "changes">, streams: EventStreams) {
  const routes = createRouter({ details: true });
  routes.openapi(getStream, () => eventStreamResponse(streams.open()));
  routes.openapi(getChanges, (c) => {
    const opened = changes.open(resumeIdOf(c.req.valid("header"), c.req.valid("query")));
    if (!opened) throw tooMany("Too many clients read changes. Close a stream and try again.");
    return eventStreamResponse(opened.stream, { "Last-Event-ID": opened.lastId });
  });
  routes.openapi(getEvents, (c) =>
    c.json({ error: "Connect here with a WebSocket." }, 426, { Upgrade: "websocket" }),
  );
  return routes;
}
