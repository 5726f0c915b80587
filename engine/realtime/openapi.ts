import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `realtime/`. */
export const realtimeTexts: SliceTexts = {
  tag: "realtime",
  about: "Events while they happen: the event stream and the WebSocket.",
  operations: {
    "GET /stream": {
      id: "streamEvents",
      summary: "Stream future events, one JSON `data:` line each",
      about: "No history, no heartbeat, no ids. A reader that is too slow is dropped.",
    },
    "GET /events": {
      id: "openEvents",
      summary: "Open the WebSocket channel",
      about:
        "Its frames are in `frames.schema.json`. A browser gives the token as `?token=`, as it cannot send headers here.",
    },
  },
};
