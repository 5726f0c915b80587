import { z } from "@hono/zod-openapi";
import { turnInput } from "../chat/wire.ts";
import { STORED_TURN_STATES, TURN_SOURCES } from "../db/schema.ts";
import { limitUpTo } from "../http/page.ts";
import { OPERATIONS } from "../policies/operations.ts";
import { TURNS_LISTED_DEFAULT, TURNS_LISTED_MAX } from "./limits.ts";

const TURN_STATES = [...STORED_TURN_STATES, "waiting"] as const;

export const TurnState = z.enum(TURN_STATES);
export type TurnState = z.infer<typeof TurnState>;

export const Turn = z
  .object({
    uuid: z.string(),
    threadUuid: z.string(),
    workspaceUuid: z.string(),
    source: z.enum(TURN_SOURCES),
    state: TurnState,
    error: z.string().nullable(),
    partialText: z.string().nullable(),
    userMessageUuid: z.string(),
    assistantMessageUuid: z.string().nullable(),
    model: z.string(),
    inputTokens: z.number().int().nullable(),
    outputTokens: z.number().int().nullable(),
    omittedToolGroups: z.array(z.string()),
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
  })
  .openapi("Turn");
export type Turn = z.infer<typeof Turn>;

const limit = limitUpTo(TURNS_LISTED_MAX);

/** Which turns of a thread are listed. */
export const ThreadTurnsQuery = z.object({
  state: TurnState.optional(),
  limit: limit.optional(),
});

export const TurnsQuery = z.object({
  state: TurnState.optional(),
  threadUuid: z.string().optional(),
  limit: limit.default(TURNS_LISTED_DEFAULT),
});

export const Approval = z
  .object({
    uuid: z.string(),
    turnUuid: z.string(),
    threadUuid: z.string(),
    toolName: z.string(),
    serverName: z.string().nullable(),
    operation: z.enum(OPERATIONS),
    arguments: z.record(z.string(), z.unknown()),
    argumentsTruncated: z.boolean(),
    requestedAt: z.iso.datetime(),
    state: z.enum(["waiting", "approved", "denied", "expired"]),
  })
  .openapi("Approval");
export type Approval = z.infer<typeof Approval>;

export const DecideApproval = z
  .object({
    decision: z.unknown().optional().openapi({
      type: "string",
      description: "Only `approve`, in any case, approves; everything else denies.",
    }),
  })
  .openapi("DecideApproval");

/** What `chat.send` carries, without the uuids: those are in the path. Its spelling is that of the frame. */
export const StartTurn = z.object(turnInput).openapi("StartTurn");
