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
  NodeCompletedTurnEvent: graphEvent("A node of the graph ended."),
  RunCompletedTurnEvent: graphEvent("The model has answered; the answer is stored next."),
  RunAbortedTurnEvent: graphEvent("The turn was cancelled or interrupted."),
  RunFailedTurnEvent: graphEvent("The turn failed."),
  SnapshotTurnEvent: {
    about: "The text and state so far. It comes first where earlier events are lost.",
    fields: {
      ...ENVELOPE,
      data: "The text and the state.",
      "data.text": "The whole text so far; it replaces the text that the client has.",
      "data.state": "The state of the turn.",
    },
  },
  ToolTurnEvent: {
    about: "The state of a tool call changed.",
    fields: {
      ...ENVELOPE,
      data: "The tool call.",
      "data.toolCallId": "The id of the call, as the tool message has it in `tool_call_id`.",
      "data.toolName": "The name of the tool.",
      "data.operation": "What the tool does to data.",
      "data.state": "The state of the call; the last one is the status of the tool message.",
      "data.durationMs": "How long it took, in milliseconds; null before its end.",
      "data.progress": "How far a long call is, where its tool tells.",
      "data.progress.done": "What is done, in a unit of the tool.",
      "data.progress.total":
        "All that there is to do, in the same unit; null where the tool does not tell.",
      "data.progress.message": "What the tool does now; null where it does not tell.",
    },
  },
  ApprovalTurnEvent: {
    about: "An approval of a tool call is requested or settled.",
    fields: { ...ENVELOPE, data: "The approval; `state` says which." },
  },
  RetryTurnEvent: {
    about: "The provider failed; the request is sent again.",
    fields: {
      ...ENVELOPE,
      data: "The retry.",
      "data.attempt": "The number of the retry, from 1.",
      "data.afterMs": "The wait before it, in milliseconds.",
      "data.reason": "Why the last attempt failed, as a sentence.",
    },
  },
  EndTurnEvent: {
    about: "The turn has ended. It is the last event.",
    fields: { ...ENVELOPE, data: "The record of the turn." },
  },
};
