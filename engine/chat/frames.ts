import { z } from "zod";
import { engineEvents, GraphActivity, type MessageOf } from "../events/event.ts";
import type { ToolSpec } from "../models/language-model.ts";
import { OPERATIONS } from "../policies/operations.ts";
import { UI_TOOL_IDS } from "../tools/ui-tools.ts";

const thread_uuid = z.string().describe("The uuid of the thread.");
const thread_uuid_or_null = z
  .string()
  .nullable()
  .describe("The uuid of the thread; null where there was none yet.");
const error = z.string().describe("Why, as a sentence.");
const answerId = z.string().describe("The id to answer with.");
const toolArguments = z.record(z.string(), z.unknown());

/** The data of each frame of a turn or a notification, by its type; the frame's `id` says which (Engine §6). */
export const correlatedFrames = {
  "chat.delta": z
    .object({ thread_uuid, delta: z.string().describe("The text.") })
    .describe(
      "The whole answer of the model, once, before `chat.done`; pieces come as `agui.event`.",
    ),
  "chat.done": z
    .object({ thread_uuid })
    .describe("The turn is complete, and its messages are stored. The last frame of the turn."),
  "chat.cancelled": z
    .object({ thread_uuid: thread_uuid_or_null })
    .describe("The turn was cancelled. The last frame of the turn."),
  "chat.error": z
    .object({ thread_uuid: thread_uuid_or_null, error })
    .describe("The turn failed. The last frame of the turn."),
  "chat.notification.done": z
    .object({ thread_uuid, message_uuid: z.string().describe("The uuid of the message.") })
    .describe("The system message is stored."),
  "chat.notification.error": z.object({ error }).describe("The system message is not stored."),
  "agui.event": GraphActivity.meta({
    envelope: {
      description: "What happens in the turn; `model.delta` is the next piece of the text.",
      data: "The graph event.",
    },
  }),
  "tool.approval.request": z
    .object({
      approval_id: answerId,
      thread_uuid,
      tool_name: z.string().describe("The name of the tool."),
      arguments: toolArguments.describe("The exact arguments of the call, by name."),
      operation: z.enum(OPERATIONS).describe("What the tool does to data."),
    })
    .describe("A tool waits for the user: answer with `tool.approval.response`."),
  "client.tool.request": z
    .object({
      request_id: answerId,
      tool_name: z.string().meta({ description: "One of the five UI tools.", enum: UI_TOOL_IDS }),
      arguments: toolArguments.describe("The arguments of the call, by name."),
    })
    .describe("A UI tool is to run in the client: answer with `client.tool.result`."),
};

/** Frames for the other registered clients; each is the event of the same name. */
export const broadcastFrames = {
  "thread.created": engineEvents["thread.created"].meta({
    description: "Another client created a thread.",
    envelope: {},
  }),
  "message.created": engineEvents["message.created"].extend({ threadId: thread_uuid }).meta({
    description: "A message was stored for another client.",
  }),
};

/** A frame of a turn or a notification. */
export type CorrelatedFrame = MessageOf<typeof correlatedFrames, { id: string }>;
/** A frame for the other registered clients. */
export type BroadcastFrame = MessageOf<typeof broadcastFrames>;

/** The connection that a turn runs for, as chat sees it. */
export interface Peer {
  /** Sends one frame; does nothing once the connection is closed. */
  send(frame: CorrelatedFrame): void;
  /** Undefined if the reader keeps up; else resolves once it has caught up or disconnected. */
  caughtUp(): Promise<void> | undefined;
  /** Sends to all registered clients but this one (Engine §6, cross-client broadcasts). */
  broadcast(frame: BroadcastFrame): void;
  /** The UI tools that this connection has registered so far. */
  uiTools(): readonly ToolSpec[];
}
