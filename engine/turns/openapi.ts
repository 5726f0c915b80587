import type { SliceTexts } from "../../shared/http/openapi-texts.ts";
import { turnEventTexts } from "./turn-event-texts.ts";

const FILTER = {
  state: "Only turns in this state.",
  limit: "How many turns at most: 1 to 1,000, by default 50.",
};

const ROOT_INDEX = "The position of its root in `directories`, from 0.";
const PATH = "Its path in the root, separated by `/`.";
const LABEL = "What the client shows for it.";

const TURN = { uuid: "The uuid of the turn." };

/** What the OpenAPI document says of `turns/`. */
export const turnTexts: SliceTexts = {
  tag: "turns",
  about: "Turns: what the model answers to one user message, and the record of it.",
  operations: {
    "GET /turns": {
      id: "listTurns",
      summary: "List turns, newest first",
      about: "Of all threads, or of one.",
      parameters: { ...FILTER, threadUuid: "Only turns of this thread." },
    },
    "POST /threads/{uuid}/turns": {
      id: "startThreadTurn",
      summary: "Start a turn in a thread",
      about:
        "Stores the user message and answers; the turn runs on its own. A second active turn of the thread is 409, and `details` has the uuid of the first.",
      parameters: { uuid: "The uuid of the thread." },
    },
    "POST /workspaces/{uuid}/turns": {
      id: "startWorkspaceTurn",
      summary: "Start a turn in a new thread",
      about: "The thread is titled from the text, as by `chat.send`.",
      parameters: { uuid: "The uuid of the workspace." },
    },
    "POST /turns/{uuid}/cancel": {
      id: "cancelTurn",
      summary: "Cancel a turn",
      about: "Answers once the turn has ended.",
      parameters: TURN,
    },
    "GET /turns/{uuid}/events": {
      id: "streamTurnEvents",
      events: "TurnEvent",
      summary: "Stream the events of a turn, from its beginning or after an id",
      about:
        "`snapshot` comes first where events are missing, `end` last. Between them are the graph events by their type, `tool`, `approval` and `retry`. A comment comes every 15 s.",
      parameters: {
        ...TURN,
        after: "The id of the last event that the client has.",
        "last-event-id": "The same; it counts where both are given.",
      },
    },
    "GET /approvals": {
      id: "listApprovals",
      summary: "List the approvals that turns over HTTP wait for",
      about: "The oldest first. Those of turns over the WebSocket are their client's alone.",
    },
    "POST /approvals/{uuid}": {
      id: "decideApproval",
      summary: "Approve or deny a tool call",
      about: "The first answer counts; every further one is 409.",
      parameters: { uuid: "The uuid of the approval." },
    },
    "GET /usage": {
      id: "getUsage",
      summary: "Sum the turns and tokens of days, models, workspaces or threads",
      about:
        "Turns count on the UTC day on which they began, also those of deleted threads. At most 1,000 groups: the newest days, or the largest of the others.",
      parameters: {
        from: "The first day; 30 days where it is left out.",
        to: "The last day; today where it is left out.",
        groupBy: "What each group is.",
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
      about: "An unknown thread has none.",
      parameters: { ...FILTER, uuid: "The uuid of the thread." },
    },
  },
  schemas: {
    Turn: {
      about: "What the model answered to one message of the user, and how it went.",
      fields: {
        uuid: "The uuid of the turn.",
        threadUuid: "The uuid of its thread.",
        workspaceUuid: "The uuid of its workspace.",
        source: "How it was begun.",
        state: "Where it stands; `waiting` waits for an approval.",
        error: "Why it failed, as a sentence; else null.",
        partialText:
          "What was streamed of a turn that ended without an answer, at most 1 MiB; null where nothing was, and for every other turn.",
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
      about: "What the user says in a turn, spelled as the data of `chat.send`.",
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
      about: "A tool call that waits for the user, or waited.",
      fields: {
        uuid: "The uuid of the approval.",
        turnUuid: "The uuid of its turn.",
        threadUuid: "The uuid of the thread of the turn.",
        toolName: "The name of the tool.",
        operation: "What the tool does to data.",
        arguments: "What the tool is called with, exactly.",
        requestedAt: "When it was requested, ISO-8601 in UTC.",
        state: "Where it stands; `expired` is one whose turn ended first.",
      },
    },
    DecideApproval: {
      about: "The answer to an approval.",
      fields: { decision: "`approve`, in any case, approves; everything else denies." },
    },
    Usage: {
      about: "What turns used.",
      fields: { groups: "What is asked for, one by one.", total: "All of it together." },
    },
    UsageGroup: {
      about: "What the turns of a day, model, workspace or thread used.",
      fields: {
        key: "The day, the model, or the uuid of the workspace or thread.",
        turns: "How many turns began.",
        turnsWithoutUsage: "How many of them reported no tokens.",
        inputTokens: "Tokens of the prompts; null where nothing was reported.",
        outputTokens: "Tokens of the answers; null where nothing was reported.",
      },
    },
    UsageTotal: {
      about: "What all these turns used together.",
      fields: {
        turns: "How many turns began.",
        turnsWithoutUsage: "How many of them reported no tokens.",
        inputTokens: "Tokens of the prompts; null where nothing was reported.",
        outputTokens: "Tokens of the answers; null where nothing was reported.",
      },
    },
    ...turnEventTexts,
  },
};
