import type { MessageRow } from "../db/schema.ts";

/** Graph activity of a turn, as `agui.event` frames and `graph.execution` events carry it (Engine §6). */
export type GraphEvent =
  | { type: "run.started"; run_id: string; graph_id: string }
  | { type: "node.started"; node_id: string }
  | { type: "model.delta"; node_id: string; delta: string }
  | { type: "node.completed"; node_id: string }
  | { type: "run.completed"; run_id: string }
  | { type: "run.aborted"; run_id: string }
  | { type: "run.failed"; run_id: string; error: string };

export interface ThreadCreated {
  threadId: string;
  workspaceId: string;
  title: string | null;
}

export interface MessageCreated {
  messageId: string;
  threadId: string;
  role: MessageRow["role"];
  content: string;
}

/** What happened, for everybody who listens on `GET /stream` (Engine §6). Ids are uuids. */
export type EngineEvent =
  | { type: "thread.created"; data: ThreadCreated }
  | {
      type: "thread.updated";
      data: { threadId: string; title: string | null; description: string | null };
    }
  | { type: "message.created"; data: MessageCreated }
  | { type: "graph.execution"; data: { thread_uuid: string } & GraphEvent };
