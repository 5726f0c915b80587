import { toSnakeCase } from "../../shared/client/names.ts";
import { onAbort } from "../../shared/on-abort.ts";
import { decide } from "./approvals.ts";
import type { ChatDeps, ChatEvent, ChatInput, ChatOptions, ChatResult } from "./chat.ts";
import { EngineError, TurnFailed } from "./errors.ts";
import { CANCEL_WAIT_MS, STREAM_SILENCE_LOOKS, STREAM_SILENCE_MAX_MS } from "./limits.ts";
import { RunningTurn, toChatEvent } from "./running-turn.ts";
import { parseData } from "./server-sent-events.ts";
import { watchSilence } from "./silence.ts";
import type { Approval } from "./wire.generated.ts";

interface LastFrame {
  type: "chat.done" | "chat.cancelled" | "chat.error";
  data: { thread_uuid: string | null; error?: string };
}

interface ApprovalFrame {
  type: "tool.approval.request";
  data: {
    approval_id: string;
    thread_uuid: string;
    tool_name: string;
    operation: Approval["operation"];
    arguments: Record<string, unknown>;
  };
}

interface ToolFrame {
  type: "client.tool.request";
  data: { request_id: string; tool_name: string; arguments: Record<string, unknown> };
}

/** A frame of the engine; engine/frames.schema.json has them all. */
type Frame =
  | LastFrame
  | ApprovalFrame
  | ToolFrame
  | { type: "pong"; data: null }
  | { type: "error"; data: { error: string } }
  | { type: "agui.event"; data: { type: string; run_id?: string } }
  | { type: "chat.delta"; data: { delta: string } };

// A connection has one turn.
const ID = "turn";

/**
 * Runs a turn over a WebSocket of its own.
 * @throws TurnCancelled, TurnFailed, or EngineError if the engine cannot be reached.
 */
export async function runSocketTurn(
  { connection, operations }: ChatDeps,
  input: ChatInput,
  options: ChatOptions,
  emit: (event: ChatEvent) => void,
): Promise<ChatResult> {
  const turn = new RunningTurn(options.signal, emit);
  const watch = watchSilence(connection.until(turn.over));
  const opening = new AbortController();
  turn.onCancel(() => opening.abort());
  let pings: ReturnType<typeof setInterval> | undefined;
  let socket: WebSocket | undefined;
  try {
    const signal = AbortSignal.any([watch.signal, opening.signal]);
    socket = await operations.openEvents({ signal });
    const talk = new SocketTurn(socket, turn, options);
    const last = talk.untilLast(watch);
    // It ends before it starts if the connection is lost.
    await Promise.race([talk.start(input), last]);
    pings = setInterval(() => talk.send("ping"), STREAM_SILENCE_MAX_MS / STREAM_SILENCE_LOOKS);
    return await toResult(operations, turn, await last, talk.turnUuid);
  } catch (error) {
    throw options.signal?.aborted && !(error instanceof TurnFailed) ? turn.cancelled() : error;
  } finally {
    clearInterval(pings);
    socket?.close();
    watch.end();
    turn.end();
  }
}

/** No frame has the record of a turn that has begun; the id of its run is that of the turn. */
async function toResult(
  operations: ChatDeps["operations"],
  turn: RunningTurn,
  { type, data: { error } }: LastFrame,
  turnUuid: string | undefined,
): Promise<ChatResult> {
  if (turnUuid !== undefined) {
    const signal = AbortSignal.timeout(CANCEL_WAIT_MS);
    const record = await operations.getTurn(turnUuid, { signal }).catch(() => undefined);
    if (record) return turn.toResult(record);
  }
  if (type === "chat.cancelled") throw turn.cancelled();
  throw turn.failed(error ?? "The record of the turn could not be read.");
}

class SocketTurn {
  readonly #socket: WebSocket;
  readonly #turn: RunningTurn;
  readonly #options: ChatOptions;
  /** Undefined before the turn has begun. */
  turnUuid: string | undefined;
  /** Resolves once the engine has taken the UI tools. */
  readonly #taken = Promise.withResolvers<void>();

  constructor(socket: WebSocket, turn: RunningTurn, options: ChatOptions) {
    this.#socket = socket;
    this.#turn = turn;
    this.#options = options;
  }

  /** Offers the UI tools first. Only an error answers that, so a pong shows that they were taken. */
  async start(input: ChatInput): Promise<void> {
    const tools = Object.keys(this.#options.uiTools ?? {}).map((id) => ({ id }));
    if (tools.length > 0) {
      this.send("tool.register", { tools });
      this.send("ping");
    } else this.#taken.resolve();
    await this.#taken.promise;
    this.send("chat.send", toSnakeCase(input));
    this.#turn.onCancel(() => this.send("chat.cancel"));
  }

  send(type: string, data: unknown = {}): void {
    const frame = JSON.stringify({ v: 1, type, id: ID, data });
    // A socket that is closed has ended the turn.
    if (this.#socket.readyState === 1) this.#socket.send(frame);
  }

  /** Takes frames until the last one. */
  untilLast({ signal, wait }: ReturnType<typeof watchSilence>): Promise<LastFrame> {
    return new Promise((resolve, reject) => {
      const removeListener = onAbort(signal, () => reject(signal.reason));
      this.#socket.addEventListener("close", () => {
        removeListener();
        reject(this.#turn.failed("The connection of the turn was lost, which cancelled it."));
      });
      this.#socket.addEventListener("message", ({ data }) => {
        wait(true);
        const last = this.#take(parseData(data) as Frame);
        if (last) resolve(last);
      });
    });
  }

  #take(frame: Frame): LastFrame | undefined {
    switch (frame.type) {
      case "chat.done":
      case "chat.cancelled":
      case "chat.error":
        return frame;
      case "agui.event":
        this.turnUuid ??= frame.data.run_id;
        this.#turn.emit(toChatEvent(frame.data.type, frame.data));
        return;
      case "chat.delta":
        this.#turn.replaceText(frame.data.delta);
        return;
      case "tool.approval.request":
        void this.#approve(frame);
        return;
      case "client.tool.request":
        void this.#runTool(frame);
        return;
      case "pong":
        this.#taken.resolve();
        return;
      case "error":
        // Later errors are events of the turn.
        this.#taken.reject(new EngineError(frame.data.error, { status: 0 }));
    }
    const { type, data }: { type: string; data: unknown } = frame;
    this.#turn.emit({ type: "other", event: type, data });
  }

  async #approve({ data }: ApprovalFrame): Promise<void> {
    const request = {
      uuid: data.approval_id,
      threadUuid: data.thread_uuid,
      toolName: data.tool_name,
      operation: data.operation,
      arguments: data.arguments,
    };
    this.#turn.emit({ type: "approval", state: "waiting", ...request });
    const signal = this.#turn.over;
    const { decision } = await decide(this.#options.onApproval, request, { signal });
    this.send("tool.approval.response", { approval_id: request.uuid, decision });
  }

  async #runTool({ data }: ToolFrame): Promise<void> {
    const { request_id, tool_name } = data;
    try {
      const result = await this.#options.uiTools?.[tool_name]?.(data.arguments);
      this.send("client.tool.result", { request_id, ok: true, result });
    } catch (error) {
      this.send("client.tool.result", { request_id, ok: false, error: String(error) });
    }
  }
}
