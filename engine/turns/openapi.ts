import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

const FILTER = {
  state: "Only turns in this state.",
  limit: "How many turns at most: 1 to 1,000, by default 50.",
};

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
    "GET /turns/{uuid}": {
      id: "getTurn",
      summary: "Get a turn",
      about: "While it runs, `partialText` is null.",
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
        partialText: "What was streamed of a turn that did not complete, at most 1 MiB; else null.",
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
  },
};
