import { z } from "zod";
import { engineEvents, GraphActivity } from "../events/event.ts";
import { OPERATIONS } from "../policies/operations.ts";
import { UI_TOOL_IDS } from "../tools/ui-tools.ts";

const thread_uuid = z.string();
const tool_name = z.string();
const toolArguments = z.record(z.string(), z.unknown());

/** The data of each frame of a turn or a notification, by its type; the frame's `id` says which (Engine §6). */
export const correlatedFrames = {
  "chat.delta": z.object({ thread_uuid, delta: z.string() }),
  "chat.done": z.object({ thread_uuid }),
  "chat.cancelled": z.object({ thread_uuid: thread_uuid.nullable() }),
  "chat.error": z.object({ thread_uuid: thread_uuid.nullable(), error: z.string() }),
  "chat.notification.done": z.object({ thread_uuid, message_uuid: z.string() }),
  "chat.notification.error": z.object({ error: z.string() }),
  "agui.event": GraphActivity,
  "tool.approval.request": z.object({
    approval_id: z.string(),
    thread_uuid,
    tool_name,
    arguments: toolArguments,
    operation: z.enum(OPERATIONS),
  }),
  "client.tool.request": z.object({
    request_id: z.string(),
    tool_name: tool_name.meta({ enum: UI_TOOL_IDS }),
    arguments: toolArguments,
  }),
};

/** Frames for the other registered clients; each is the event of the same name. */
export const broadcastFrames = {
  "thread.created": engineEvents["thread.created"],
  "message.created": engineEvents["message.created"],
};

type FrameOf<Schemas extends Record<string, z.ZodType>, Correlation> = {
  [Type in keyof Schemas]: { type: Type; data: z.infer<Schemas[Type]> } & Correlation;
}[keyof Schemas];

/** A frame of a turn or a notification. */
export type CorrelatedFrame = FrameOf<typeof correlatedFrames, { id: string }>;
/** A frame for the other registered clients. */
export type BroadcastFrame = FrameOf<typeof broadcastFrames, unknown>;
