import { z } from "zod";
import { OPERATIONS } from "../policies/operations.ts";
import { Approval, Turn, TurnState } from "./wire.ts";

/** The data of each event of `GET /turns/{uuid}/events` beside the graph events, by its type. */
export const turnEvents = {
  /** Where the text stands. */
  snapshot: z.object({ text: z.string(), state: TurnState }),
  tool: z.object({
    toolCallId: z.string(),
    toolName: z.string(),
    operation: z.enum(OPERATIONS),
    state: z.enum(["waiting", "running", "completed", "failed", "denied"]),
    durationMs: z.number().nullable(),
    progress: z
      .object({ done: z.number(), total: z.number().nullable(), message: z.string().nullable() })
      .optional(),
  }),
  approval: Approval,
  retry: z.object({ attempt: z.number().int(), afterMs: z.number(), reason: z.string() }),
  /** The last one. */
  end: Turn,
};

/** An event of `GET /turns/{uuid}/events` beside the graph events. */
export type TurnEventData = {
  [Type in keyof typeof turnEvents]: z.infer<(typeof turnEvents)[Type]>;
};
