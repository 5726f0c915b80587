import type { SchemaText } from "../../shared/http/openapi-texts.ts";

const ENVELOPE = {
  id: "The id after which a client resumes; a snapshot has that of the last event that it covers.",
  event: "The type of the event.",
};

function graphEvent(about: string): SchemaText {
  return { about, fields: { ...ENVELOPE, data: "The graph event." } };
}

/** What the document says of the events of `GET /turns/{uuid}/events`. */
export const turnEventTexts: Readonly<Record<string, SchemaText>> = {
  TurnEvent: { about: "An event of a turn; `event` says which." },
  RunStartedTurnEvent: graphEvent("The turn began."),
  NodeStartedTurnEvent: graphEvent("A node of the graph began."),
  ModelDeltaTurnEvent: graphEvent("The next piece of the text."),
  NodeCompletedTurnEvent: graphEvent("A node of the graph is done."),
  RunCompletedTurnEvent: graphEvent("The model is done; the answer is stored next."),
  RunAbortedTurnEvent: graphEvent("The turn was cancelled or interrupted."),
  RunFailedTurnEvent: graphEvent("The turn failed."),
  SnapshotTurnEvent: {
    about: "Where the turn stands. It comes first where earlier events are not kept.",
    fields: {
      ...ENVELOPE,
      data: "The text and the state.",
      "data.text": "The whole text so far; it replaces what the client has.",
      "data.state": "Where the turn stands.",
    },
  },
  ToolTurnEvent: {
    about: "A tool call went on.",
    fields: {
      ...ENVELOPE,
      data: "The tool call.",
      "data.toolCallId": "The id of the call, as the tool message has it in `tool_call_id`.",
      "data.toolName": "The name of the tool.",
      "data.operation": "What the tool does to data.",
      "data.state": "Where the call stands; the last one is the status of the tool message.",
      "data.durationMs": "How long it took, in milliseconds; null before its end.",
    },
  },
  ApprovalTurnEvent: {
    about: "A tool call waits for the user, or does not wait any more.",
    fields: { ...ENVELOPE, data: "The approval; `state` says which." },
  },
  RetryTurnEvent: {
    about: "The provider could not take the request; it is sent again.",
    fields: {
      ...ENVELOPE,
      data: "The new attempt.",
      "data.attempt": "1 for the first new attempt.",
      "data.afterMs": "After how many milliseconds it is sent.",
      "data.reason": "Why, as a sentence.",
    },
  },
  EndTurnEvent: {
    about: "The turn has ended. It is the last event.",
    fields: { ...ENVELOPE, data: "The record of the turn." },
  },
};
