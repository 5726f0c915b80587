import { z } from "zod";

/** What chat sends over a connection: the data of each frame by its type (Engine §6, outbound WebSocket frames). */

const thread_uuid = z.string();
const node_id = z.string();
const run_id = z.string();

const GraphActivity = z.discriminatedUnion("type", [
  z.object({ thread_uuid, type: z.literal("run.started"), run_id, graph_id: z.string() }),
  z.object({ thread_uuid, type: z.literal("node.started"), node_id }),
  z.object({ thread_uuid, type: z.literal("model.delta"), node_id, delta: z.string() }),
  z.object({ thread_uuid, type: z.literal("node.completed"), node_id }),
  z.object({ thread_uuid, type: z.literal("run.completed"), run_id }),
  z.object({ thread_uuid, type: z.literal("run.aborted"), run_id }),
  z.object({ thread_uuid, type: z.literal("run.failed"), run_id, error: z.string() }),
]);

/** Frames of a turn or a notification; `id` says which. */
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
    tool_name: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    operation: z.enum(["create", "read", "update", "delete"]),
  }),
  "client.tool.request": z.object({
    request_id: z.string(),
    tool_name: z.string(),
    arguments: z.record(z.string(), z.unknown()),
  }),
};

/** Frames that the other registered clients get. */
export const broadcastFrames = {
  "thread.created": z.object({
    threadId: z.string(),
    workspaceId: z.string(),
    title: z.string().nullable(),
  }),
  "message.created": z.object({
    messageId: z.string(),
    threadId: z.string(),
    role: z.enum(["user", "assistant", "system", "tool"]),
    content: z.string(),
  }),
};

type FrameOf<Schemas extends Record<string, z.ZodType>, Correlation> = {
  [Type in keyof Schemas]: { type: Type; data: z.infer<Schemas[Type]> } & Correlation;
}[keyof Schemas];

export type CorrelatedFrame = FrameOf<typeof correlatedFrames, { id: string }>;
export type BroadcastFrame = FrameOf<typeof broadcastFrames, unknown>;
