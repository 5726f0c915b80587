import type { SliceTexts } from "../../shared/http/openapi-texts.ts";
import { turnEventTexts } from "./turn-event-texts.ts";

const STATE = "Only turns in this state.";

const ROOT_INDEX = "The position of its root in `directories`, from 0.";
const PATH = "Its path in the root, separated by `/`.";
const LABEL = "What the client shows for it.";

const TURN = { uuid: "The uuid of the turn." };

/** What the OpenAPI document says of `turns/`. */
export const turnTexts: SliceTexts = {
  tag: "turns",
  about: "Turns: a user message, the model's answer to it, and the record of both.",
  operations: {
    "GET /turns": {
      id: "listTurns",
      summary: "List turns, newest first",
      about: "Turns of all threads, or of `threadUuid`.",
      parameters: {
        state: STATE,
        limit: "The number of turns at most: 1 to 1,000, by default 50.",
        threadUuid: "Only turns of this thread.",
      },
    },
    "POST /threads/{uuid}/turns": {
      id: "startThreadTurn",
      summary: "Start a turn in a thread",
      about:
        "The response is sent once the user message is stored; the turn continues in the background. While another turn of the thread is active it is 409, and `details` has that turn's uuid.",
      parameters: { uuid: "The uuid of the thread." },
    },
    "POST /workspaces/{uuid}/turns": {
      id: "startWorkspaceTurn",
      summary: "Start a turn in a new thread",
      about: "The title of the thread comes from the text, as with `chat.send`.",
      parameters: { uuid: "The uuid of the workspace." },
    },
    "POST /turns/{uuid}/cancel": {
      id: "cancelTurn",
      summary: "Cancel a turn",
      about: "The response is sent once the turn has ended.",
      parameters: TURN,
    },
    "GET /turns/{uuid}/events": {
      id: "streamTurnEvents",
      events: "TurnEvent",
      summary: "Stream the events of a turn, from its beginning or after an id",
      about:
        "The first event is `snapshot` where earlier events are lost; the last one is `end`. Between them are graph events by their type, `tool`, `approval` and `retry`. A comment is sent every 15 s.",
      parameters: {
        ...TURN,
        after: "The id of the last event that the client has.",
        "last-event-id": "The same; it counts where both are given.",
      },
    },
    "GET /approvals": {
      id: "listApprovals",
      summary: "List the approvals that turns over HTTP wait for",
      about:
        "The oldest first. Arguments over 64 KiB are cut; `GET /approvals/{uuid}` has them whole. Approvals of turns over the WebSocket are sent to their client only.",
    },
    "GET /approvals/{uuid}": {
      id: "getApproval",
      summary: "Get an approval that waits, with all its arguments",
      about: "An approval that is settled is 404.",
      parameters: { uuid: "The uuid of the approval." },
    },
    "POST /approvals/{uuid}": {
      id: "decideApproval",
      summary: "Approve or deny a tool call",
      about: "The first decision counts; further ones are 409.",
      parameters: { uuid: "The uuid of the approval." },
    },
    "GET /usage": {
      id: "getUsage",
      summary: "Sum the turns and tokens of days, models, workspaces or threads",
      about:
        "Turns count on the UTC day on which they began, also those of deleted threads. At most 1,000 groups: the newest days, or the largest of the others.",
      parameters: {
        from: "The first day; by default, 29 days before the last.",
        to: "The last day, which is included; today by default.",
        groupBy: "What turns are grouped by; `day` by default.",
      },
    },
    "GET /turns/{uuid}": {
      id: "getTurn",
      summary: "Get a turn",
      about:
        "While it runs or waits, `partialText` is null: its text so far is in its events. A turn of a deleted thread is 404.",
      parameters: TURN,
    },
    "GET /threads/{uuid}/turns": {
      id: "listThreadTurns",
      summary: "List the turns of a thread, newest first",
      about: "The list of an unknown thread is empty.",
      parameters: {
        state: STATE,
        limit: "The number of turns at most: 1 to 1,000; all by default.",
        uuid: "The uuid of the thread.",
      },
    },
  },
  schemas: {
    Turn: {
      about: "A turn: a user message, the answer, and the outcome.",
      fields: {
        uuid: "The uuid of the turn.",
        threadUuid: "The uuid of its thread.",
        workspaceUuid: "The uuid of its workspace.",
        source: "The interface that began it.",
        state: "The state; in `waiting`, an approval is pending.",
        error: "Why it failed, as a sentence; else null.",
        partialText:
          "The streamed text of a turn that ended without an answer, at most 1 MiB; else null.",
        userMessageUuid: "The uuid of the user's message.",
        assistantMessageUuid: "The uuid of the answer; null where there is none.",
        model: "The id of a model configuration, or `echo`.",
        inputTokens:
          "Tokens of the prompts, summed over steps; null where the provider reported none.",
        outputTokens:
          "Tokens of the answers, summed over steps; null where the provider reported none.",
        omittedToolGroups:
          "The groups of tools that were not offered, as the context window is small.",
        startedAt: "When it began, ISO-8601 in UTC.",
        endedAt: "When it ended, ISO-8601 in UTC; null while it runs.",
      },
    },
    StartTurn: {
      about: "The user message of a turn, with the field names of `chat.send`.",
      fields: {
        content: "The text of the user message.",
        model_id: "The model of the turn; null is the default of the thread or workspace.",
        tools_enabled: "Whether the model may call tools; only false switches them off.",
        file_context: "The files that the message is about; null where there are none.",
        "file_context.active_file": "The file that the client shows; null where it shows none.",
        "file_context.active_file.root_index": ROOT_INDEX,
        "file_context.active_file.path": PATH,
        "file_context.active_file.label": LABEL,
        "file_context.tagged_files": "The files that the message names.",
        "file_context.tagged_files.root_index": ROOT_INDEX,
        "file_context.tagged_files.path": PATH,
        "file_context.tagged_files.label": LABEL,
        "file_context.attachments": "Files that come with the message.",
        "file_context.attachments.name": "The name of the file, without a path.",
        "file_context.attachments.media_type": "Its media type; else it follows from the name.",
        "file_context.attachments.data": "Its bytes.",
      },
    },
    Approval: {
      about: "The question whether a tool call may run.",
      fields: {
        uuid: "The uuid of the approval.",
        turnUuid: "The uuid of its turn.",
        threadUuid: "The uuid of the thread of the turn.",
        toolName: "The name of the tool.",
        serverName: "The MCP server that has the tool, as it is configured; null for other tools.",
        operation: "What the tool does to data.",
        arguments: "The arguments of the call; in a list, long ones are cut.",
        argumentsTruncated: "Whether these are only a part of the arguments.",
        requestedAt: "When it was requested, ISO-8601 in UTC.",
        state: "The state; `expired` where the turn ended first.",
      },
    },
    DecideApproval: {
      about: "The decision on a tool call.",
      fields: { decision: "`approve`, in any case, approves; everything else denies." },
    },
    Usage: {
      about: "The turns and tokens of some days.",
      fields: { groups: "One entry for each group.", total: "The sum over all turns." },
    },
    UsageGroup: {
      about: "The turns and tokens of one day, model, workspace or thread.",
      fields: {
        key: "The day, the model, or the uuid of the workspace or thread.",
        turns: "How many turns began.",
        turnsWithoutUsage: "How many of them reported no tokens.",
        inputTokens: "Tokens of the prompts; null where no provider reported any.",
        outputTokens: "Tokens of the answers; null where no provider reported any.",
      },
    },
    UsageTotal: {
      about: "The turns and tokens of all days.",
      fields: {
        turns: "How many turns began.",
        turnsWithoutUsage: "How many of them reported no tokens.",
        inputTokens: "Tokens of the prompts; null where no provider reported any.",
        outputTokens: "Tokens of the answers; null where no provider reported any.",
      },
    },
    ...turnEventTexts,
  },
};
