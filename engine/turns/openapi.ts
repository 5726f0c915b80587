import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

const FILTER = {
  state: "Only turns in this state.",
  limit: "How many turns are listed at most.",
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
      parameters: { ...FILTER, threadUuid: "Only turns of this thread." },
    },
    "GET /turns/{uuid}": { id: "getTurn", summary: "Get a turn", parameters: TURN },
    "GET /threads/{uuid}/turns": {
      id: "listThreadTurns",
      summary: "List the turns of a thread, newest first",
      about: "An unknown thread has none.",
      parameters: { ...FILTER, uuid: "The uuid of the thread." },
    },
  },
};
