import { errors } from "../../shared/http/responses.ts";
import { ErrorBody } from "../../shared/http/wire.ts";
import type { EngineDeps } from "../deps.ts";
import { tooMany } from "../errors.ts";
import {
  eventStream,
  eventStreamResponse,
  resumeIdOf,
  resumeRequest,
} from "../http/event-stream.ts";
import { get } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import type { EventStreams } from "./event-streams.ts";

/** The event streams (Engine §4), and the response to a request without a handshake at the WebSocket's path. */
export function realtimeRoutes({ changes }: Pick<EngineDeps, "changes">, streams: EventStreams) {
  return createRouter({ details: true, tag: "realtime" }, [
    get("/stream", {
      operationId: "streamEvents",
      summary: "Stream future events, one JSON `data:` line each",
      description:
        "It has no history, no heartbeat and no ids. A client that is more than 100 events behind loses the oldest.",
      responses: eventStream("StreamEvent"),
      handler: () => eventStreamResponse(streams.open()),
    }),
    get("/changes", {
      operationId: "streamChanges",
      summary: "Stream what changes, as events of ids and names",
      description:
        "Each event has an id, after which a client resumes. Where later events are lost, the first event is `resync`, and the " +
        "client must reload its data. A comment is sent every 15 s. A client that reads too slowly is disconnected, and " +
        "resumes by id. The response header `Last-Event-ID` has the id at which the stream begins.",
      request: resumeRequest,
      responses: { ...eventStream("ChangeEvent"), ...errors(429) },
      handler: (input) => {
        const opened = changes.open(resumeIdOf(input));
        if (!opened) throw tooMany("Too many clients read changes. Close a stream and try again.");
        return eventStreamResponse(opened.stream, { "Last-Event-ID": opened.lastId });
      },
    }),
    get("/events", {
      operationId: "openEvents",
      summary: "Open the WebSocket channel",
      description:
        "Its frames are in `frames.schema.json`. A browser gives the token as `?token=`, as it cannot send headers here.",
      responses: {
        101: { description: "The connection is a WebSocket now" },
        // The only response to a handshake is 101, but document checkers require a success.
        "2XX": { description: "Does not occur: a handshake is answered with 101" },
        426: {
          description: "Not a WebSocket handshake",
          content: { "application/json": { schema: ErrorBody } },
        },
      },
      handler: (_input, c) =>
        c.json({ error: "Connect here with a WebSocket." }, 426, { Upgrade: "websocket" }),
    }),
  ]);
}
