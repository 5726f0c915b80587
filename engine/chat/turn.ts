import { EngineError } from "../errors.ts";
import { isDeletionOf } from "../events/change.ts";
import type { GraphEvent } from "../events/event.ts";
import { type Message, toMessageCreated } from "../messages/wire.ts";
import type { ResolvedModel } from "../models/resolve.ts";
import { toThreadCreated } from "../threads/wire.ts";
import { runAgent } from "./agent.ts";
import { failureText, logFailure, ThreadDeleted, TurnStopped } from "./failure.ts";
import type { CorrelatedFrame, Peer } from "./frames.ts";
import type { TurnJournal, TurnOutcome } from "./journal.ts";
import type { ChatDeps } from "./ports.ts";
import { prepareAgent } from "./prepare.ts";
import { announce, recordMessage } from "./transcript.ts";
import type { TurnContext } from "./turn-context.ts";
import {
  type CommittedTurn,
  commitUserMessage,
  resolveTarget,
  type TurnTarget,
} from "./turn-target.ts";
import { openTurnTools } from "./turn-tools.ts";
import { type ClientToolResult, FrameId, type TurnStartInput } from "./wire.ts";

const GRAPH_ID = "chat";

/** A running turn. Its connection keeps it until `onEnd`. */
export interface ActiveTurn {
  readonly id: string;
  /** That of its record. */
  readonly uuid: string;
  /** Resolves once the user message is stored. Rejects if the turn cannot start: then nothing is stored. */
  readonly started: Promise<void>;
  /** Resolves when the turn has ended. */
  readonly done: Promise<void>;
  /** Ends the turn once its user message is stored: a client cancels it or is gone, or the engine ends. */
  stop(state: "cancelled" | "interrupted"): void;
  /** Returns whether the turn waits for this result of a client tool. */
  answerClientTool(requestId: string, result: ClientToolResult): boolean;
}

/** A valid `chat.send`, or what starts a turn over HTTP. */
interface TurnRequest {
  id: string;
  input: TurnStartInput;
  journal: TurnJournal;
  /** Called once, right before the terminal frame: from then on the connection is idle. */
  onEnd(): void;
}

interface Turn extends TurnRequest, Pick<TurnContext, "deps" | "peer" | "clientTools"> {
  stop: AbortController;
  started: PromiseWithResolvers<void>;
  /** The thread and workspace of the turn, once they are known. */
  place: { threadUuid?: string | undefined; workspaceUuid?: string };
}

/** Starts `chat.send` (Engine §3, chat turn). Exactly one terminal frame follows in every case. */
export function startTurn(deps: ChatDeps, peer: Peer, request: TurnRequest): ActiveTurn {
  const { id, journal, input } = request;
  const stop = new AbortController();
  const clientTools: TurnContext["clientTools"] = new Map();
  const started = Promise.withResolvers<void>();
  // A turn over a socket reports its failure in a frame: its start is not awaited.
  started.promise.catch(() => {});
  const place = { threadUuid: input.thread_uuid ?? undefined };
  const turn: Turn = { ...request, deps, peer, stop, clientTools, started, place };
  return {
    id,
    uuid: journal.uuid,
    started: started.promise,
    // Deferred, because `onEnd` must not run before the caller has the turn.
    done: Promise.resolve().then(() => runTurn(turn)),
    stop: (state) => stop.abort(new TurnStopped(state)),
    answerClientTool: (requestId, result) => {
      const take = clientTools.get(requestId);
      clientTools.delete(requestId);
      take?.(result);
      return take !== undefined;
    },
  };
}

/** Never rejects. */
async function runTurn(turn: Turn): Promise<void> {
  const { deps, peer, id, journal, input, place, started } = turn;
  const { signal } = turn.stop;
  const unsubscribe = deps.changes.subscribe((change) => {
    if (isDeletionOf(change, place)) turn.stop.abort(new ThreadDeleted());
  });
  let isStarted = false;
  try {
    const target = await resolveTarget(deps, input);
    place.workspaceUuid = target.workspace.uuid;
    const committed = await commitUserMessage(deps, target, { journal, signal });
    const thread_uuid = committed.thread.uuid;
    place.threadUuid = thread_uuid;
    if (committed.isNewThread) announce(deps, peer, toThreadCreated(committed.thread));
    isStarted = true;
    journal.onStarted();
    started.resolve();
    for (const message of [...committed.earlier, committed.userMessage]) {
      announce(deps, peer, toMessageCreated(message));
    }
    const message = await answer(turn, target, committed);
    if (message) {
      peer.send({ type: "chat.delta", id, data: { thread_uuid, delta: message.content } });
    }
    await end(turn, { state: "completed" }, { type: "chat.done", id, data: { thread_uuid } });
  } catch (error) {
    // A failure after a delete is caused by it. A write can find the thread missing before the delete is announced.
    const isMissing = isStarted && error instanceof EngineError && error.code === "not_found";
    const isDeletion = isMissing || signal.reason instanceof ThreadDeleted;
    await fail(turn, isDeletion ? new ThreadDeleted() : error);
    started.reject(error instanceof TurnStopped ? new EngineError("stopping") : error);
  } finally {
    unsubscribe();
  }
}

/** Runs the graph and stores its text. @returns the message; undefined if the answer is empty. */
async function answer(
  turn: Turn,
  { workspace, model, files }: TurnTarget,
  { thread, userMessage }: CommittedTurn,
): Promise<Message | undefined> {
  const { id, deps, peer, journal, clientTools, input } = turn;
  const { signal } = turn.stop;
  const { client, tools_enabled: toolsEnabled } = input;
  const reasoningEffort = input.reasoning_effort ?? undefined;
  const running = { id, deps, peer, journal, signal, clientTools };
  const context = { ...running, workspace, thread, files, reasoningEffort, client };
  const text = await runGraph(context, model, { ...userMessage, toolsEnabled });
  if (text === "") return undefined;
  const message = { threadUuid: thread.uuid, role: "assistant", content: text } as const;
  return recordMessage(deps, peer, message, (batch, uuid) => journal.recordEnd(batch, uuid));
}

/** The graph of a turn, from `run.started` to its last event. @returns the text of the answer. */
async function runGraph(
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
    const window = await model.window(signal);
    await using tools = await openTurnTools(turn, { ...input, contextWindow: window.window });
    const agent = await prepareAgent(turn, { model, window, tools }, input);
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

/** Answers a `chat.send` whose data is not valid. It may still name its thread, so that the client can place the error. */
export function refuseTurn(
  deps: ChatDeps,
  peer: Peer,
  { id, data, error }: { id: string; data: { thread_uuid?: unknown }; error: EngineError },
): void {
  logFailure(deps, id, error);
  const thread_uuid = FrameId.safeParse(data.thread_uuid).data ?? null;
  peer.send({ type: "chat.error", id, data: { thread_uuid, error: failureText(error) } });
}

async function fail(turn: Turn, error: unknown): Promise<void> {
  const { deps, id, place } = turn;
  const thread_uuid = place.threadUuid ?? null;
  if (error instanceof TurnStopped) {
    const { state } = error;
    return end(turn, { state }, { type: "chat.cancelled", id, data: { thread_uuid } });
  }
  logFailure(deps, id, error);
  const text = failureText(error);
  const outcome: TurnOutcome =
    error instanceof ThreadDeleted ? { state: "cancelled" } : { state: "failed", error: text };
  await end(turn, outcome, { type: "chat.error", id, data: { thread_uuid, error: text } });
}

/** The one place where a turn ends. Order matters: cancel pending requests, store the end, mark the connection idle, send the frame. */
async function end(turn: Turn, outcome: TurnOutcome, frame: CorrelatedFrame): Promise<void> {
  turn.stop.abort(new TurnStopped("cancelled"));
  await turn.journal.onEnded(outcome);
  turn.onEnd();
  turn.peer.send(frame);
}
