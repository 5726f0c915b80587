import type { SliceTexts } from "../../shared/http/openapi-texts.ts";
import { activityTexts } from "../events/activity-texts.ts";
import { changeTexts } from "../events/change-texts.ts";

/** What the OpenAPI document says of `realtime/`. */
export const realtimeTexts: SliceTexts = {
  tag: "realtime",
  about: "Event streams and the WebSocket.",
  operations: {
    "GET /stream": {
      id: "streamEvents",
      summary: "Stream future events, one JSON `data:` line each",
      events: "StreamEvent",
      about:
        "It has no history, no heartbeat and no ids. A client that is more than 100 events behind loses the oldest.",
    },
    "GET /changes": {
      id: "streamChanges",
      events: "ChangeEvent",
      summary: "Stream what changes, as events of ids and names",
      about:
        "Each event has an id, after which a client resumes. Where later events are lost, the first event is `resync`, and the " +
        "client must reload its data. A comment is sent every 15 s. A client that reads too slowly is disconnected, and " +
        "resumes by id. The response header `Last-Event-ID` has the id at which the stream begins.",
      parameters: {
        after: "The id of the last event that the client has.",
        "last-event-id": "The same; it counts where both are given.",
      },
    },
    "GET /events": {
      id: "openEvents",
      summary: "Open the WebSocket channel",
      about:
        "Its frames are in `frames.schema.json`. A browser gives the token as `?token=`, as it cannot send headers here.",
    },
  },
  schemas: {
    StreamEvent: { about: "An event of the stream; `type` says which." },
    ThreadCreatedEvent: {
      about: "A thread was created.",
      fields: {
        type: "The type of the event.",
        timestamp: "When it was published, ISO-8601 in UTC.",
        data: "The thread.",
        "data.threadId": "The uuid of the thread.",
        "data.workspaceId": "The uuid of its workspace.",
        "data.title": "The title; null where there is none.",
      },
    },
    ThreadUpdatedEvent: {
      about: "The title or the description of a thread changed.",
      fields: {
        type: "The type of the event.",
        timestamp: "When it was published, ISO-8601 in UTC.",
        data: "The thread.",
        "data.threadId": "The uuid of the thread.",
        "data.title": "The title; null where there is none.",
        "data.description": "The description; null where there is none.",
      },
    },
    MessageCreatedEvent: {
      about: "A message was stored.",
      fields: {
        type: "The type of the event.",
        timestamp: "When it was published, ISO-8601 in UTC.",
        data: "The message.",
        "data.messageId": "The uuid of the message.",
        "data.threadId": "The uuid of its thread.",
        "data.role": "Who wrote it.",
        "data.content": "The text.",
      },
    },
    GraphExecutionEvent: {
      about: "An event of the graph, in a turn of a WebSocket client.",
      fields: {
        type: "The type of the event.",
        timestamp: "When it was published, ISO-8601 in UTC.",
        data: "The graph event.",
      },
    },
    ...activityTexts,
    ...changeTexts,
  },
};
