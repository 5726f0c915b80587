import { z } from "zod";
import { MESSAGE_ROLES } from "../db/schema.ts";

const thread_uuid = z.string();
const node_id = z.string();
const run_id = z.string();

/** Graph activity of a turn, as `agui.event` frames and `graph.execution` events carry it (Engine §6). */
export const GraphActivity = z.discriminatedUnion("type", [
  z.object({ thread_uuid, type: z.literal("run.started"), run_id, graph_id: z.string() }),
  z.object({ thread_uuid, type: z.literal("node.started"), node_id }),
  z.object({ thread_uuid, type: z.literal("model.delta"), node_id, delta: z.string() }),
  z.object({ thread_uuid, type: z.literal("node.completed"), node_id }),
  z.object({ thread_uuid, type: z.literal("run.completed"), run_id }),
  z.object({ thread_uuid, type: z.literal("run.aborted"), run_id }),
  z.object({ thread_uuid, type: z.literal("run.failed"), run_id, error: z.string() }),
]);

type WithoutThread<Activity> = Activity extends unknown ? Omit<Activity, "thread_uuid"> : never;
/** Graph activity before its thread is added. */
export type GraphEvent = WithoutThread<z.infer<typeof GraphActivity>>;

/** The data of each event on `GET /stream`, by its type (Engine §6). Ids are uuids. */
export const engineEvents = {
  "thread.created": z.object({
    threadId: z.string(),
    workspaceId: z.string(),
    title: z.string().nullable(),
  }),
  "thread.updated": z.object({
    threadId: z.string(),
    title: z.string().nullable(),
    description: z.string().nullable(),
  }),
  "message.created": z.object({
    messageId: z.string(),
    threadId: z.string(),
    role: z.enum(MESSAGE_ROLES),
    content: z.string(),
  }),
  "graph.execution": GraphActivity,
};

/** An event of `GET /stream`. */
export type EngineEvent = {
  [Type in keyof typeof engineEvents]: { type: Type; data: z.infer<(typeof engineEvents)[Type]> };
}[keyof typeof engineEvents];
