import { redactText } from "../../shared/log.ts";
import { EngineError, publicMessage } from "../errors.ts";
import type { GraphEvent } from "../events/event.ts";
import { toMessageCreated } from "../messages/wire.ts";
import { ModelFailure } from "../models/language-model.ts";
import { toThreadCreated } from "../threads/wire.ts";
import { runAgent } from "./agent.ts";
import { EMPTY_FILE_CONTEXT } from "./file-context.ts";
import type { CorrelatedFrame } from "./frames.ts";
import type { Peer } from "./peer.ts";
import { PendingReplies } from "./pending.ts";
import type { ChatDeps } from "./ports.ts";
import { prepareAgent } from "./prepare.ts";
import { announce, recordMessage } from "./transcript.ts";
import type { Decision, Questions, TurnContext } from "./turn-context.ts";
import {
  type CommittedTurn,
  commitUserMessage,
  resolveTarget,
  type TurnTarget,
} from "./turn-target.ts";
import { type ChatSend, type ClientToolResult, FrameId } from "./wire.ts";

const GRAPH_ID = "chat";

/** The reason of a cancelled turn. */
class TurnStopped extends Error {
  override name = "TurnStopped";
}

/** The thread or workspace of a turn was deleted while it ran. */
class ThreadDeleted extends EngineError {
  constructor() {
    super("not_found", "The thread was deleted.");
  }
}

/** A running turn. Its connection keeps it until `onEnd`. */
export interface ActiveTurn {
  readonly id: string;
  readonly questions: Questions;
  /** Resolves when the turn has ended. */
  readonly done: Promise<void>;
  /** Ends the turn once its user message is stored: `chat.cancel`, or the connection closed. */
  cancel(): void;
}

/** A valid `chat.send`. */
interface TurnRequest {
  id: string;
  input: ChatSend;
  /** Marks the connection idle. Called once, right before the terminal frame. */
  onEnd(): void;
}

interface Turn extends TurnRequest {
  deps: ChatDeps;
  peer: Peer;
  stop: AbortController;
  questions: Questions;
  /** The thread and workspace of the turn, as far as they are known. */
  place: { threadUuid?: string; workspaceUuid?: string };
}

/** Starts `chat.send` (Engine §3, chat turn). Exactly one terminal frame follows in every case. */
export function startTurn(deps: ChatDeps, peer: Peer, request: TurnRequest): ActiveTurn {
  const questions = {
    approvals: new PendingReplies<Decision>(),
    clientTools: new PendingReplies<ClientToolResult>(),
  };
  const stop = new AbortController();
  const { thread_uuid } = request.input;
  const place = { threadUuid: thread_uuid ?? undefined };
  const turn: Turn = { ...request, deps, peer, stop, questions, place };
  return {
    id: request.id,
    questions,
    // Deferred, because `onEnd` must not run before the caller has the turn.
    done: Promise.resolve().then(() => runTurn(turn)),
    cancel: () => stop.abort(new TurnStopped()),
  };
}

async function runTurn(turn: Turn): Promise<void> {
  const { deps, peer, id, input } = turn;
  let committed: CommittedTurn | undefined;
  const unsubscribe = endWhereDeleted(turn);
  try {
    const target = await resolveTarget(deps, input);
    turn.place.workspaceUuid = target.workspace.uuid;
    committed = await commitUserMessage(deps, target, input.content);
    const { thread, userMessage } = committed;
    turn.place.threadUuid = thread.uuid;
    if (!target.thread) announce(deps, peer, toThreadCreated(thread));
    announce(deps, peer, toMessageCreated(userMessage));
    const text = await runGraph(turn, target, committed);
    const thread_uuid = thread.uuid;
    if (text !== "") {
      const answer = { threadUuid: thread_uuid, role: "assistant", content: text } as const;
      await recordMessage(deps, peer, answer);
      peer.send({ type: "chat.delta", id, data: { thread_uuid, delta: text } });
    }
    end(turn, { type: "chat.done", id, data: { thread_uuid } });
  } catch (caught) {
    const error = wasDeleted(turn, committed, caught) ? new ThreadDeleted() : caught;
    const thread_uuid = turn.place.threadUuid ?? null;
    if (error instanceof TurnStopped) {
      end(turn, { type: "chat.cancelled", id, data: { thread_uuid } });
    } else {
      logFailure(deps, id, error);
      end(turn, { type: "chat.error", id, data: { thread_uuid, error: failureText(error) } });
    }
  } finally {
    unsubscribe();
  }
}

/** Answers a `chat.send` with invalid data. The error names the thread where the data has a valid id. */
export function refuseTurn(
  deps: ChatDeps,
  peer: Peer,
  { id, data, error }: { id: string; data: { thread_uuid?: unknown }; error: EngineError },
): void {
  logFailure(deps, id, error);
  const thread_uuid = FrameId.safeParse(data.thread_uuid).data ?? null;
  peer.send({ type: "chat.error", id, data: { thread_uuid, error: failureText(error) } });
}

/** Any failure after a delete counts as caused by it. A write may miss the thread before the delete is announced. */
function wasDeleted({ stop }: Turn, committed: CommittedTurn | undefined, error: unknown): boolean {
  const isMissing = error instanceof EngineError && error.code === "not_found";
  return stop.signal.reason instanceof ThreadDeleted || (committed !== undefined && isMissing);
}

/** Ends the turn once its thread or workspace is deleted. Returns a function that ends the subscription. */
function endWhereDeleted({ deps, stop, place }: Turn): () => void {
  return deps.deletions.subscribe((deleted) => {
    const isHere =
      "threadUuid" in deleted
        ? deleted.threadUuid === place.threadUuid
        : deleted.workspaceUuid === place.workspaceUuid;
    if (isHere) stop.abort(new ThreadDeleted());
  });
}

/** The one place where a turn ends. Order matters: cancel pending requests, mark the connection idle, send the frame. */
function end({ stop, onEnd, peer }: Turn, frame: CorrelatedFrame): void {
  stop.abort(new TurnStopped());
  onEnd();
  peer.send(frame);
}

async function runGraph(
  { id, deps, peer, stop, questions, input }: Turn,
  { workspace, model }: TurnTarget,
  { thread, userMessage }: CommittedTurn,
): Promise<string> {
  const { signal } = stop;
  const files = input.file_context ?? EMPTY_FILE_CONTEXT;
  const turn = { id, deps, peer, signal, questions, workspace, thread, files };
  const run_id = crypto.randomUUID();
  const emit = graphEmitter(turn);
  emit({ type: "run.started", run_id, graph_id: GRAPH_ID });
  try {
    signal.throwIfAborted();
    const agent = await prepareAgent(turn, model, {
      ...userMessage,
      toolsEnabled: input.tools_enabled,
    });
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

/** Graph activity goes to the connection as `agui.event`, and to all streams as `graph.execution`. */
function graphEmitter({ deps, peer, id, thread }: TurnContext) {
  return (event: GraphEvent) => {
    const data = { thread_uuid: thread.uuid, ...event };
    peer.send({ type: "agui.event", id, data });
    deps.events.publish({ type: "graph.execution", data });
  };
}

function failureText(error: unknown): string {
  return error instanceof ModelFailure ? redactText(error.message) : publicMessage(error);
}

function logFailure({ log }: ChatDeps, id: string, error: unknown): void {
  const isExpected = error instanceof EngineError || error instanceof ModelFailure;
  log[isExpected ? "warn" : "error"]({ turn: id, error }, "A turn failed.");
}
