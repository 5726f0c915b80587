import type { GraphEvent } from "../events/event.ts";
import type { ResolvedModel } from "../models/resolve.ts";
import { runAgent } from "./agent.ts";
import { failureText, TurnStopped } from "./failure.ts";
import { prepareAgent } from "./prepare.ts";
import type { TurnContext } from "./turn-context.ts";
import { TurnTools } from "./turn-tools.ts";

const GRAPH_ID = "chat";

/** The graph of a turn, from `run.started` to its last event. @returns the text of the answer. */
export async function runGraph(
  turn: TurnContext,
  model: ResolvedModel,
  input: { content: string; createdAt: string; toolsEnabled: boolean },
): Promise<string> {
  const { signal } = turn;
  // The frames of a turn name it nowhere else.
  const run_id = turn.journal.uuid;
  const emit = graphEmitter(turn);
  emit({ type: "run.started", run_id, graph_id: GRAPH_ID });
  try {
    signal.throwIfAborted();
    const { contextWindow } = model;
    await using tools = await TurnTools.open(turn, { ...input, contextWindow });
    const agent = await prepareAgent(turn, { model, tools }, input);
    signal.throwIfAborted();
    const text = await runAgent(turn, agent, emit);
    signal.throwIfAborted();
    emit({ type: "run.completed", run_id });
    return text;
  } catch (error) {
    const ended = signal.aborted ? signal.reason : error;
    if (ended instanceof TurnStopped) emit({ type: "run.aborted", run_id });
    else emit({ type: "run.failed", run_id, error: failureText(ended) });
    throw ended;
  }
}

/**
 * Graph activity goes to the connection as `agui.event`, to all streams as `graph.execution`, and to clients that follow the
 * turn. `graph.execution` belongs to turns over the WebSocket (Engine §6, server-sent events 8).
 */
function graphEmitter({ deps, peer, journal, id, thread }: TurnContext) {
  return (event: GraphEvent) => {
    const data = { thread_uuid: thread.uuid, ...event };
    peer.send({ type: "agui.event", id, data });
    if (journal.source === "websocket") deps.events.publish({ type: "graph.execution", data });
    journal.onActivity(data);
  };
}
