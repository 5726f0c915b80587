import { describeIssues } from "../../shared/http/issues.ts";
import { redactText } from "../../shared/log.ts";
import { EngineError, invalid, publicMessage } from "../errors.ts";
import type { GraphEvent } from "../events/event.ts";
import { ModelFailure } from "../models/language-model.ts";
import { type AgentRun, runAgent } from "./agent.ts";
import type { CorrelatedFrame } from "./frames.ts";
import type { Peer } from "./peer.ts";
import { PendingReplies } from "./pending.ts";
import type { ChatDeps } from "./ports.ts";
import { prepareAgent } from "./prepare.ts";
import type { Decision, Questions } from "./tool-runner.ts";
import { broadcastMessage, recordMessage } from "./transcript.ts";
import {
  type CommittedTurn,
  commitUserMessage,
  resolveTarget,
  type TurnTarget,
} from "./turn-target.ts";
import { ChatSend, type ClientToolResult, FrameId } from "./wire.ts";

const GRAPH_ID = "chat";

/** Why a turn ends before it is through. */
class TurnStopped extends Error {
  override name = "TurnStopped";
}

/** The thread or workspace of a turn was deleted while it ran. */
class ThreadDeleted extends EngineError {
  constructor() {
    super("not_found", "The thread was deleted.");
  }
}

/** A turn that runs. Its connection keeps it until `onEnd`. */
export interface ActiveTurn {
  readonly id: string;
  readonly questions: Questions;
  /** Resolves when nothing of the turn is left. */
  readonly done: Promise<void>;
  /** Ends it as soon as its user message is stored: `chat.cancel`, or the connection is gone. */
  cancel(): void;
}

export interface TurnRequest {
  id: string;
  data: unknown;
  /** Called once, right before the terminal frame: from then on the connection is idle. */
  onEnd(): void;
}

interface Turn extends TurnRequest {
  deps: ChatDeps;
  peer: Peer;
  stop: AbortController;
  questions: Questions;
  /** Set once the tools of the turn are known. */
  omittedToolGroups: readonly string[];
  /** Where the turn runs, as far as it is known by now. */
  place: { threadUuid?: string; workspaceUuid?: string };
}

/** Starts `chat.send` (Engine §3, chat turn). Exactly one terminal frame follows, whatever happens. */
export function startTurn(deps: ChatDeps, peer: Peer, request: TurnRequest): ActiveTurn {
  const questions = {
    approvals: new PendingReplies<Decision>(),
    clientTools: new PendingReplies<ClientToolResult>(),
  };
  const stop = new AbortController();
  const turn: Turn = {
    ...request,
    deps,
    peer,
    stop,
    questions,
    omittedToolGroups: [],
    place: {},
  };
  return {
    id: request.id,
    questions,
    // Not before the caller holds the turn: it could end at once.
    done: Promise.resolve().then(() => runTurn(turn)),
    cancel: () => stop.abort(new TurnStopped()),
  };
}

async function runTurn(turn: Turn): Promise<void> {
  const { deps, peer, id, data } = turn;
  let committed: CommittedTurn | undefined;
  const unsubscribe = endWhereDeleted(turn);
  try {
    const input = parseChatSend(data);
    turn.place.threadUuid = input.thread_uuid ?? undefined;
    const target = await resolveTarget(deps, input);
    turn.place.workspaceUuid = target.workspace.uuid;
    committed = await commitUserMessage(deps, target, input.content);
    turn.place.threadUuid = committed.thread.uuid;
    announce(turn, target, { content: input.content, committed });
    const text = await runGraph(turn, target, { input, committed });
    const threadUuid = committed.thread.uuid;
    if (text !== "") {
      await recordMessage(deps, peer, { threadUuid, role: "assistant", content: text });
      peer.send({ type: "chat.delta", id, data: { thread_uuid: threadUuid, delta: text } });
    }
    end(turn, { type: "chat.done", id, data: { thread_uuid: threadUuid } });
  } catch (caught) {
    const error = wasDeleted(turn, committed, caught) ? new ThreadDeleted() : caught;
    const thread_uuid = committed?.thread.uuid ?? givenThread(data);
    if (error instanceof TurnStopped) {
      end(turn, { type: "chat.cancelled", id, data: { thread_uuid } });
    } else {
      logFailure(turn, error);
      end(turn, { type: "chat.error", id, data: { thread_uuid, error: failureText(error) } });
    }
  } finally {
    unsubscribe();
  }
}

/** What fails after a delete failed because of it; a write can find the thread missing before the delete is announced. */
function wasDeleted({ stop }: Turn, committed: CommittedTurn | undefined, error: unknown): boolean {
  const isMissing = error instanceof EngineError && error.code === "not_found";
  return stop.signal.reason instanceof ThreadDeleted || (committed !== undefined && isMissing);
}

/** Ends the turn once its thread or workspace is deleted. Returns what ends the subscription. */
function endWhereDeleted({ deps, stop, place }: Turn): () => void {
  return deps.deletions.subscribe((deleted) => {
    const isHere =
      "threadUuid" in deleted
        ? deleted.threadUuid === place.threadUuid
        : deleted.workspaceUuid === place.workspaceUuid;
    if (isHere) stop.abort(new ThreadDeleted());
  });
}

/** The one place where a turn ends: whatever still waits is settled, then the connection is idle, then it is told. */
function end({ stop, onEnd, peer }: Turn, frame: CorrelatedFrame): void {
  stop.abort(new TurnStopped());
  onEnd();
  peer.send(frame);
}

function parseChatSend(data: unknown): ChatSend {
  const parsed = ChatSend.safeParse(data);
  if (parsed.success) return parsed.data;
  throw invalid(`The chat.send data is not valid: ${describeIssues(parsed.error.issues)}.`);
}

function announce(
  { deps, peer }: Turn,
  target: TurnTarget,
  { content, committed }: { content: string; committed: CommittedTurn },
): void {
  const { thread, userMessage } = committed;
  if (!target.thread) {
    const { uuid: threadId, workspaceUuid: workspaceId, title } = thread;
    const created = { type: "thread.created", data: { threadId, workspaceId, title } } as const;
    deps.events.publish(created);
    peer.broadcast(created);
  }
  const message = {
    uuid: userMessage.uuid,
    threadUuid: thread.uuid,
    role: "user",
    content,
  } as const;
  const data = { messageId: message.uuid, threadId: thread.uuid, role: message.role, content };
  deps.events.publish({ type: "message.created", data });
  broadcastMessage(peer, message);
}

async function runGraph(
  turn: Turn,
  target: TurnTarget,
  { input, committed }: { input: ChatSend; committed: CommittedTurn },
): Promise<string> {
  const { signal } = turn.stop;
  const run_id = crypto.randomUUID();
  const emit = graphEmitter(turn, committed.thread.uuid);
  emit({ type: "run.started", run_id, graph_id: GRAPH_ID });
  try {
    signal.throwIfAborted();
    const prepared = await prepareAgent({ ...turn, signal }, target, { input, committed });
    signal.throwIfAborted();
    turn.omittedToolGroups = prepared.omittedToolGroups;
    const run: AgentRun = { ...prepared, emit };
    const text = await runAgent(run);
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
function graphEmitter({ deps, peer, id }: Turn, thread_uuid: string) {
  return (event: GraphEvent) => {
    const data = { thread_uuid, ...event };
    peer.send({ type: "agui.event", id, data });
    deps.events.publish({ type: "graph.execution", data });
  };
}

/** The thread that an invalid or failed `chat.send` named, so that its client can place the error. */
function givenThread(data: unknown): string | null {
  if (typeof data !== "object" || data === null || !("thread_uuid" in data)) return null;
  const given = FrameId.safeParse(data.thread_uuid);
  return given.success ? given.data : null;
}

function failureText(error: unknown): string {
  return error instanceof ModelFailure ? redactText(error.message) : publicMessage(error);
}

function logFailure({ deps, id }: Turn, error: unknown): void {
  const isExpected = error instanceof EngineError || error instanceof ModelFailure;
  deps.log[isExpected ? "warn" : "error"]({ turn: id, error }, "A turn failed.");
}
