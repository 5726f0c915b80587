import { z } from "@hono/zod-openapi";
import { SentContext, TurnSource } from "../chat/sent-wire.ts";
import { FrameId, turnInput } from "../chat/wire.ts";
import { TURN_SOURCES, TURN_STATES } from "../db/schema.ts";
import { Remember } from "../grants/wire.ts";
import { field, object } from "../http/fields.ts";
import { limitUpTo } from "../http/page.ts";
import { REASONING_EFFORTS } from "../models/language-model.ts";
import { OPERATIONS } from "../policies/operations.ts";
import { TURNS_LISTED_DEFAULT, TURNS_LISTED_MAX } from "./limits.ts";

export const TurnState = z.enum(TURN_STATES);
export type TurnState = z.infer<typeof TurnState>;

export const Turn = object({
  uuid: field.text("The uuid of the turn."),
  threadUuid: field.text("The uuid of its thread."),
  workspaceUuid: field.text("The uuid of its workspace."),
  source: field.choice(TURN_SOURCES, "The interface that began it."),
  state: TurnState.describe("The state; in `waiting`, an approval is pending."),
  error: field.nullableText("Why it failed, as a sentence; else null."),
  partialText: field.nullableText(
    "The streamed text of a turn that ended without an answer, at most 1 MiB; else null.",
  ),
  userMessageUuid: field.text("The uuid of the user's message."),
  assistantMessageUuid: field.nullableText("The uuid of the answer; null where there is none."),
  model: field.text("The id of a model configuration, or `echo`."),
  inputTokens: field.nullableInteger(
    "Tokens of the prompts, summed over steps; null where the provider reported none.",
  ),
  outputTokens: field.nullableInteger(
    "Tokens of the answers, summed over steps; null where the provider reported none.",
  ),
  cachedInputTokens: field.nullableInteger(
    "Those of the prompts that came from the provider's cache; null where it reported none.",
  ),
  omittedToolGroups: field.list(
    z.string(),
    "The groups of tools that were not offered, as the context window is small.",
  ),
  grantUuids: field.list(
    z.string(),
    "The uuids of the remembered approvals by which calls ran without asking.",
  ),
  startedAt: field.time("When it began, ISO-8601 in UTC."),
  endedAt: field.nullableTime("When it ended, ISO-8601 in UTC; null while it runs."),
}).openapi("Turn", { description: "A turn: a user message, the answer, and the outcome." });
export type Turn = z.infer<typeof Turn>;

export const TurnReasoning = object({
  text: field.text("The first 64 KiB of it; empty if there was none."),
}).openapi("TurnReasoning", { description: "What the model of a turn thought." });

const effort = z
  .enum(REASONING_EFFORTS)
  .nullish()
  .describe("How long the model may think; null is its own default. Some providers refuse it.");

const TurnDetails = object({
  context: object(SentContext.shape)
    .nullable()
    .describe("What it sent; null before its first request."),
  sources: z
    .array(TurnSource)
    .nullable()
    .describe("The passages in what it sent; null before its first request."),
  reasoning: object(TurnReasoning.shape)
    .nullable()
    .describe("What the model thought; null where nothing is kept."),
});
export type TurnDetails = z.infer<typeof TurnDetails>;

export const DetailedTurn = object({
  ...Turn.shape,
  details: TurnDetails.optional().describe("Its details, where `details=true` asks for them."),
}).openapi("DetailedTurn", { description: "A turn, and its details where they are asked for." });

export type DetailedTurn = z.infer<typeof DetailedTurn>;

const State = TurnState.optional().describe("Only turns in this state.");
const limit = limitUpTo(TURNS_LISTED_MAX);

export const ThreadTurnsQuery = object({
  state: State,
  limit: limit.optional().describe("The number of turns at most: 1 to 1,000; all by default."),
  details: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .openapi({ type: "boolean" })
    .describe("Whether each turn has its `details`; false by default."),
});

export const TurnsQuery = object({
  state: State,
  threadUuid: z.string().optional().describe("Only turns of this thread."),
  limit: limit
    .default(TURNS_LISTED_DEFAULT)
    .describe("The number of turns at most: 1 to 1,000, by default 50."),
});

export const Approval = object({
  uuid: field.text("The uuid of the approval."),
  turnUuid: field.text("The uuid of its turn."),
  threadUuid: field.text("The uuid of the thread of the turn."),
  toolName: field.text("The name of the tool."),
  serverName: field.nullableText(
    "The MCP server that has the tool, as it is configured; null for other tools.",
  ),
  operation: field.choice(OPERATIONS, "What the tool does to data."),
  arguments: z
    .record(z.string(), z.unknown())
    .describe("The arguments of the call; in a list, long ones are cut."),
  argumentsTruncated: field.flag("Whether these are only a part of the arguments."),
  requestedAt: field.time("When it was requested, ISO-8601 in UTC."),
  clientKey: object({
    uuid: field.text("The uuid of the key."),
    name: field.text("The program that has the key."),
  })
    .nullable()
    .describe("The client key whose turn asks; null for turns of the user."),
  state: field.choice(
    ["waiting", "approved", "denied", "expired"],
    "The state; `expired` where the turn ended first.",
  ),
}).openapi("Approval", { description: "The question whether a tool call may run." });
export type Approval = z.infer<typeof Approval>;

export const DecideApproval = object({
  decision: z.unknown().optional().openapi({
    type: "string",
    description: "Only `approve`, in any case, approves; everything else denies.",
  }),
  remember: Remember.nullish().describe(
    "Which further calls need no approval; null is this call alone. Only an approval is remembered.",
  ),
}).openapi("DecideApproval", { description: "The decision on a tool call." });

export const StartTurn = object({ ...turnInput, reasoning_effort: effort }).openapi("StartTurn", {
  description: "The user message of a turn, with the field names of `chat.send`.",
});

export const StartThreadTurn = object({
  ...turnInput,
  reasoning_effort: effort,
  content: turnInput.content.nullish().meta({
    http: "The text of the user message; that of the replaced one where it is left out.",
  }),
  replaces: FrameId.nullish().describe(
    "A user message of the thread: the turn runs in a fork of what is before it, with the new message in its place.",
  ),
})
  .refine(({ content, replaces }) => content != null || replaces != null, {
    path: ["content"],
    message: "is needed, unless `replaces` names a message",
  })
  .openapi("StartThreadTurn", {
    description: "The user message of a turn, or the message that it replaces.",
  });

export const ThreadSummary = object({
  text: field.text("The summary."),
  throughMessageUuid: field.text("The uuid of the last message that it covers."),
  tokens: field.integer("Its tokens, as the engine estimates them."),
  createdAt: field.time("When it was made, ISO-8601 in UTC."),
}).openapi("ThreadSummary", { description: "The summary of the oldest messages of a thread." });
export type ThreadSummary = z.infer<typeof ThreadSummary>;
