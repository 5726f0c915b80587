import { z } from "zod";
import { MESSAGE_ROLES } from "../db/schema.ts";

const thread_uuid = z.string().describe("The uuid of the thread.");
const node_id = z.string().describe("The name of the node: `model` or `tools`.");
const run_id = z.string().describe("The id of the run; one turn is one run.");
const type = <Type extends string>(name: Type) =>
  z.literal(name).describe("What happens in the graph.");

/** Graph activity of a turn, as `agui.event` frames and `graph.execution` events carry it (Engine §6). */
export const GraphActivity = z
  .discriminatedUnion("type", [
    z
      .object({
        thread_uuid,
        type: type("run.started"),
        run_id,
        graph_id: z.string().describe("The name of the graph."),
      })
      .describe("The turn began."),
    z
      .object({ thread_uuid, type: type("node.started"), node_id })
      .describe("A node of the graph began."),
    z
      .object({
        thread_uuid,
        type: type("model.delta"),
        node_id,
        delta: z.string().describe("The next piece of the text."),
      })
      .describe("The next piece of the text."),
    z
      .object({ thread_uuid, type: type("node.completed"), node_id })
      .describe("A node of the graph ended."),
    z
      .object({ thread_uuid, type: type("run.completed"), run_id })
      .describe("The model has answered; the answer is stored next."),
    z.object({ thread_uuid, type: type("run.aborted"), run_id }).meta({
      description: "The turn was cancelled.",
      envelope: { description: "The turn was cancelled or interrupted." },
    }),
    z
      .object({
        thread_uuid,
        type: type("run.failed"),
        run_id,
        error: z.string().describe("Why the run failed, as a sentence."),
      })
      .describe("The turn failed."),
  ])
  .describe("What happens in the graph of a turn; `type` says which.");

type WithoutThread<Activity> = Activity extends unknown ? Omit<Activity, "thread_uuid"> : never;
/** Graph activity before its thread is added. */
export type GraphEvent = WithoutThread<z.infer<typeof GraphActivity>>;

const title = z.string().nullable().describe("The title; null where there is none.");
const threadId = z.string().describe("The uuid of the thread.");

/**
 * The data of each event on `GET /stream`, by its type (Engine §6). Ids are uuids. In the documents, the description of data is
 * that of the event or frame around it; `envelope` has the texts of its other fields.
 */
export const engineEvents = {
  "thread.created": z
    .object({
      threadId,
      workspaceId: z.string().describe("The uuid of its workspace."),
      title,
    })
    .meta({ description: "A thread was created.", envelope: { data: "The thread." } }),
  "thread.updated": z
    .object({
      threadId,
      title,
      description: z.string().nullable().describe("The description; null where there is none."),
    })
    .meta({
      description: "The title or the description of a thread changed.",
      envelope: { data: "The thread." },
    }),
  "message.created": z
    .object({
      messageId: z.string().describe("The uuid of the message."),
      threadId: z.string().describe("The uuid of its thread."),
      role: z.enum(MESSAGE_ROLES).describe("Who wrote it."),
      content: z.string().describe("The text."),
    })
    .meta({ description: "A message was stored.", envelope: { data: "The message." } }),
  "graph.execution": GraphActivity.meta({
    envelope: {
      description: "An event of the graph, in a turn of a WebSocket client.",
      data: "The graph event.",
    },
  }),
};

/** One of these types with its data, and `More`. */
export type MessageOf<Schemas extends Record<string, z.ZodType>, More = unknown> = {
  [Type in keyof Schemas]: { type: Type; data: z.infer<Schemas[Type]> } & More;
}[keyof Schemas];

/** An event of `GET /stream`. */
export type EngineEvent = MessageOf<typeof engineEvents>;
