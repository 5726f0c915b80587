import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `realtime/`. */
export const realtimeTexts: SliceTexts = {
  tag: "realtime",
  about: "Events while they happen: the event streams and the WebSocket.",
  operations: {
    "GET /stream": {
      id: "streamEvents",
      summary: "Stream future events, one JSON `data:` line each",
      about:
        "No history, no heartbeat, no ids. A reader that is behind by more than 100 events loses the oldest.",
    },
    "GET /changes": {
      id: "streamChanges",
      summary: "Stream what changes, as events of ids and names",
      about:
        "Each event has an id, and a client resumes after it. Where events after it are lost, the first event is `resync`: " +
        "read anew. A comment comes every 15 s. A reader that is too slow is dropped, and resumes by id. The response header " +
        "`Last-Event-ID` has the id from which the stream goes on.",
      parameters: {
        after: "The id of the last event that the client has.",
        "last-event-id": "The same, and it comes before `after`.",
      },
    },
    "GET /events": {
      id: "openEvents",
      summary: "Open the WebSocket channel",
      about:
        "Its frames are in `frames.schema.json`. A browser gives the token as `?token=`, as it cannot send headers here.",
    },
  },
};
