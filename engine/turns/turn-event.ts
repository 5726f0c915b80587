import { z } from "zod";
import { OPERATIONS } from "../policies/operations.ts";
import { Approval, Turn, TurnState } from "./wire.ts";

const nullableNumber = z.number().nullable();

/** The data of each event of `GET /turns/{uuid}/events` beside the graph events, by its type. */
export const turnEvents = {
  snapshot: z
    .object({
      text: z.string().describe("The whole text so far; it replaces the text that the client has."),
      state: TurnState.describe("The state of the turn."),
    })
    .meta({
      description: "The text and state so far. It comes first where earlier events are lost.",
      envelope: { data: "The text and the state." },
    }),
  reasoning: z.object({ delta: z.string().describe("The next piece of it.") }).meta({
    description: "The model thinks. This is no part of the answer.",
    envelope: { data: "A piece of what it thinks." },
  }),
  tool: z
    .object({
      toolCallId: z
        .string()
        .describe("The id of the call, as the tool message has it in `tool_call_id`."),
      toolName: z.string().describe("The name of the tool."),
      operation: z.enum(OPERATIONS).describe("What the tool does to data."),
      state: z
        .enum(["waiting", "running", "completed", "failed", "denied"])
        .describe("The state of the call; the last one is the status of the tool message."),
      durationMs: nullableNumber.describe(
        "How long it took, in milliseconds; null before its end.",
      ),
      progress: z
        .object({
          done: z.number().describe("What is done, in a unit of the tool."),
          total: nullableNumber.describe(
            "All that there is to do, in the same unit; null where the tool does not tell.",
          ),
          message: z
            .string()
            .nullable()
            .describe("What the tool does now; null where it does not tell."),
        })
        .optional()
        .describe("How far a long call is, where its tool tells."),
    })
    .meta({
      description: "The state of a tool call changed.",
      envelope: { data: "The tool call." },
    }),
  approval: Approval.meta({
    envelope: {
      description: "An approval of a tool call is requested or settled.",
      data: "The approval; `state` says which.",
    },
  }),
  retry: z
    .object({
      attempt: z.number().int().describe("The number of the retry, from 1."),
      afterMs: z.number().describe("The wait before it, in milliseconds."),
      reason: z.string().describe("Why the last attempt failed, as a sentence."),
    })
    .meta({
      description: "The provider failed; the request is sent again.",
      envelope: { data: "The retry." },
    }),
  end: Turn.meta({
    envelope: {
      description: "The turn has ended. It is the last event.",
      data: "The record of the turn.",
    },
  }),
};

/** An event of `GET /turns/{uuid}/events` beside the graph events. */
export type TurnEventData = {
  [Type in keyof typeof turnEvents]: z.infer<(typeof turnEvents)[Type]>;
};
