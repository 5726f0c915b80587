import { createRoute, z } from "@hono/zod-openapi";
import { ErrorBody } from "../../shared/http/wire.ts";
import { createRouter } from "../http/router.ts";
import type { EventStreams } from "./event-streams.ts";

const getStream = createRoute({
  method: "get",
  path: "/stream",
  responses: {
    200: {
      description: "Success",
      content: { "text/event-stream": { schema: z.string() } },
    },
  },
});

const getEvents = createRoute({
  method: "get",
  path: "/events",
  responses: {
    101: { description: "The connection is a WebSocket now" },
    426: {
      description: "Not a WebSocket handshake",
      content: { "application/json": { schema: ErrorBody } },
    },
  },
});

const STREAM_HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache",
  Connection: "keep-alive",
  "X-Accel-Buffering": "no",
};

/** The event stream (Engine §4), and the answer at the WebSocket's path to a request without a handshake. */
export function realtimeRoutes(streams: EventStreams) {
  const routes = createRouter({ details: true });
  routes.openapi(getStream, () => new Response(streams.open(), { headers: STREAM_HEADERS }));
  routes.openapi(getEvents, (c) =>
    c.json({ error: "Connect here with a WebSocket." }, 426, { Upgrade: "websocket" }),
  );
  return routes;
}
