import type { BroadcastFrame, CorrelatedFrame, Peer } from "../chat/frames.ts";
import { toDecision } from "../chat/journal.ts";
import type { ChatDeps } from "../chat/ports.ts";
import { handleNotification, refuseNotification } from "../chat/transcript.ts";
import { type ActiveTurn, refuseTurn } from "../chat/turn.ts";
import type { ApprovalResponse, ChatSend, ClientToolResult } from "../chat/wire.ts";
import { EngineError, invalid } from "../errors.ts";
import type { ToolSpec } from "../models/language-model.ts";
import { findUiTool } from "../tools/ui-tools.ts";
import type { ActiveTurns } from "../turns/active-turns.ts";
import {
  encodeFrame,
  type InvalidFrame,
  type OutboundFrame,
  parseFrame,
  type ValidFrame,
} from "./frames.ts";

/** A connection as the engine uses it; `node-sockets.ts` wraps the real ones. */
export interface Socket {
  /** Never throws; does nothing once the socket is closed. */
  send(text: string): void;
  /** Undefined if the reader keeps up; else resolves once it has caught up, or the socket is closed. */
  caughtUp(): Promise<void> | undefined;
  close(code: number, reason: string): void;
}

const GOING_AWAY = 1001;

interface SessionOptions {
  socket: Socket;
  turns: ActiveTurns;
  /** The open ones of this process. */
  sessions: Set<SocketSession>;
}

/** One connection: its identity, its UI tools and its turn (Engine §3). */
export class SocketSession implements Peer {
  readonly #deps: ChatDeps;
  readonly #socket: Socket;
  readonly #turns: ActiveTurns;
  readonly #sessions: Set<SocketSession>;
  readonly #uiTools = new Map<string, ToolSpec>();
  #clientId: string | undefined;
  #turn: ActiveTurn | undefined;
  #open = true;
  #handled: Promise<void> = Promise.resolve();

  /** `socket` passed the guard and the bearer; its owner closes the session. */
  constructor(deps: ChatDeps, { socket, turns, sessions }: SessionOptions) {
    this.#deps = deps;
    this.#socket = socket;
    this.#turns = turns;
    this.#sessions = sessions;
    sessions.add(this);
  }

  /** The id of the client; undefined until it is registered. */
  get clientId(): string | undefined {
    return this.#clientId;
  }

  /** Takes a text frame, or undefined for a binary one. Frames are handled in order; resolves once this one is handled. */
  receive(text: string | undefined): Promise<void> {
    this.#handled = this.#handled.then(() => this.#receive(text));
    return this.#handled;
  }

  /** The connection is closed: frees its id and cancels its turn. Resolves when the turn has ended. */
  close(): Promise<void> {
    return this.#close("cancelled");
  }

  /** Ends the connection because the engine ends. Resolves when its turn has ended. */
  async end(): Promise<void> {
    const closed = this.#close("interrupted");
    this.#socket.close(GOING_AWAY, "The engine is stopping.");
    await closed;
  }

  async #close(endOfTurn: "cancelled" | "interrupted"): Promise<void> {
    this.#open = false;
    this.#sessions.delete(this);
    const turn = this.#turn;
    turn?.stop(endOfTurn);
    await this.#handled;
    await turn?.done;
  }

  send(frame: CorrelatedFrame): void {
    this.#send(frame);
  }

  sendText(text: string): void {
    if (this.#open) this.#socket.send(text);
  }

  caughtUp(): Promise<void> | undefined {
    return this.#open ? this.#socket.caughtUp() : undefined;
  }

  broadcast(frame: BroadcastFrame): void {
    broadcast(this.#sessions, frame, this);
  }

  uiTools(): readonly ToolSpec[] {
    return [...this.#uiTools.values()];
  }

  #send(frame: OutboundFrame): void {
    if (this.#open) this.#socket.send(encodeFrame(frame));
  }

  async #receive(text: string | undefined): Promise<void> {
    if (!this.#open) return;
    try {
      if (text === undefined) throw invalid("Binary frames are not supported; send JSON as text.");
      await this.#handle(parseFrame(text));
    } catch (error) {
      const isExpected = error instanceof EngineError;
      if (!isExpected) this.#deps.log.error({ error }, "A frame could not be handled.");
      const reason = isExpected ? error.message : "Internal server error.";
      this.#send({ type: "error", data: { error: reason } });
    }
  }

  #handle(frame: ValidFrame | InvalidFrame): Promise<void> | undefined {
    if ("invalid" in frame) return this.#refuse(frame);
    switch (frame.type) {
      case "client.hello":
        this.#register(frame.data.clientId);
        return;
      case "ping":
        this.#send({ type: "pong", data: null });
        return;
      case "chat.send":
        this.#startTurn(idOf(frame), frame.data);
        return;
      case "chat.cancel":
        this.#cancelTurn(frame.id ?? frame.data.turn_id);
        return;
      case "chat.notification":
        return handleNotification(this.#deps, this, { id: idOf(frame), data: frame.data });
      case "tool.approval.response":
        this.#answerApproval(frame.id, frame.data);
        return;
      case "tool.register":
        this.#registerTools(frame.data.tools);
        return;
      case "tool.unregister":
        this.#uiTools.delete(frame.data.id);
        return;
      case "client.tool.result":
        this.#answerClientTool(frame.id, frame.data);
        return;
      case "profile.set":
      case "tool.result":
        // Accepted placeholders (Engine §4, inbound frames).
        return;
    }
  }

  /** A frame that starts an operation is answered with an error of its own type, any other with `error`. */
  #refuse(frame: InvalidFrame): undefined {
    const { type, data, invalid: problem } = frame;
    const error = invalid(`The ${type} data is not valid: ${problem}.`);
    switch (type) {
      case "client.hello":
        this.#rejectHello(`The clientId cannot be used: ${problem}.`);
        return;
      case "chat.send":
        this.#requireIdle();
        refuseTurn(this.#deps, this, { id: idOf(frame), data, error });
        return;
      case "chat.notification":
        refuseNotification(this.#deps, this, {
          id: idOf(frame),
          error: invalid(`The notification is not valid: ${problem}.`),
        });
        return;
      default:
        throw error;
    }
  }

  /** A registered connection that requests no id keeps its own (Engine §3, client registration). */
  #register(given: string | null | undefined): void {
    const requestedId = given?.trim() ? given : undefined;
    const clientId = requestedId ?? this.#clientId ?? crypto.randomUUID();
    if (this.#sessions.values().some((it) => it !== this && it.#clientId === clientId)) {
      this.#rejectHello("The clientId belongs to another connection.");
      return;
    }
    this.#clientId = clientId;
    this.#send({ type: "client.hello.ack", data: { clientId } });
  }

  #rejectHello(reason: string): void {
    this.#send({ type: "client.hello.reject", data: { reason } });
  }

  #requireIdle(): void {
    if (this.#turn) throw invalid("A turn is active on this connection. Wait for it or cancel it.");
  }

  #startTurn(id: string, input: ChatSend): void {
    this.#requireIdle();
    const onEnd = () => {
      this.#turn = undefined;
    };
    this.#turn = this.#turns.startForSocket(this, { id, input, onEnd });
  }

  #cancelTurn(turnId: string | undefined): void {
    if (turnId !== undefined && turnId === this.#turn?.id) this.#turn.stop("cancelled");
  }

  #answerApproval(id: string | undefined, answer: ApprovalResponse): void {
    const { approval_id, decision, turn_id } = answer;
    const turnId = id ?? turn_id ?? this.#turn?.id;
    const turn = this.#turn?.id === turnId ? this.#turn : undefined;
    const { approvals } = this.#turns;
    if (turn && approvals.answer(turn.uuid, approval_id, toDecision(decision))) return;
    throw invalid("No pending approval has this id.");
  }

  #answerClientTool(id: string | undefined, result: ClientToolResult): void {
    const turnId = id ?? result.turn_id ?? undefined;
    if (turnId === undefined) throw invalid("client.tool.result needs the id of its turn.");
    const turn = this.#turn?.id === turnId ? this.#turn : undefined;
    if (turn?.answerClientTool(result.request_id, result)) return;
    throw invalid("No pending client tool request has this id.");
  }

  #registerTools(tools: readonly { id: string }[]): void {
    const unknown = tools.filter(({ id }) => {
      const tool = findUiTool(id);
      if (tool) this.#uiTools.set(id, tool);
      return !tool;
    });
    if (unknown.length > 0) throw invalid("tool.register: only the known UI tools can be used.");
  }
}

/** A missing id is generated, so that the client can tell the answers apart. */
function idOf({ id }: { id: string | undefined }): string {
  return id ?? crypto.randomUUID();
}

/** Sends a frame, encoded once, to all registered clients but one (Engine §6, cross-client broadcasts). */
export function broadcast(
  sessions: ReadonlySet<SocketSession>,
  frame: BroadcastFrame,
  except?: SocketSession,
): void {
  let text: string | undefined;
  for (const session of sessions) {
    if (session === except || session.clientId === undefined) continue;
    text ??= encodeFrame(frame);
    session.sendText(text);
  }
}
