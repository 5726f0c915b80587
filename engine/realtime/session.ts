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

interface SessionOptions {
  socket: Socket;
  turns: ActiveTurns;
  onClose(): void;
}

/** One connection: its identity, its UI tools and its turn (Engine §3). */
export class SocketSession implements Peer, RegisteredConnection {
  readonly #deps: ChatDeps;
  readonly #clients: ClientRegistry;
  readonly #socket: Socket;
  readonly #turns: ActiveTurns;
  readonly #onClose: () => void;
  readonly #uiTools = new Map<string, ToolSpec>();
  #turn: ActiveTurn | undefined;
  #open = true;
  #handled: Promise<void> = Promise.resolve();

  constructor(deps: ChatDeps, clients: ClientRegistry, options: SessionOptions) {
    this.#deps = deps;
    this.#clients = clients;
    this.#socket = options.socket;
    this.#turns = options.turns;
    this.#onClose = options.onClose;
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

  /** Ends the connection because the engine ends. */
  async end(code: number, reason: string): Promise<void> {
    const closed = this.#close("interrupted");
    this.#socket.close(code, reason);
    await closed;
  }

  async #close(endOfTurn: "cancelled" | "interrupted"): Promise<void> {
    this.#open = false;
    this.#onClose();
    this.#clients.release(this);
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
    this.#clients.broadcast(() => encodeFrame(frame), this);
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

  #register(given: string | null | undefined): void {
    const requestedId = given?.trim() ? given : undefined;
    const clientId = this.#clients.register(this, requestedId);
    if (clientId === undefined) this.#rejectHello("The clientId belongs to another connection.");
    else this.#send({ type: "client.hello.ack", data: { clientId } });
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
    if (turn?.answerApproval(approval_id, toDecision(decision))) return;
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

interface RegisteredConnection {
  sendText(text: string): void;
}

/** The ids of all connected clients of this process (Engine §3, client registration). */
export class ClientRegistry {
  readonly #connections = new Map<string, RegisteredConnection>();
  readonly #ids = new Map<RegisteredConnection, string>();

  /**
   * Returns the connection's new id, or undefined if the requested id belongs to another connection; then nothing
   * changes. A registered connection that requests no id keeps its own.
   */
  register(connection: RegisteredConnection, requestedId: string | undefined): string | undefined {
    const ownId = this.#ids.get(connection);
    const id = requestedId ?? ownId ?? crypto.randomUUID();
    const holder = this.#connections.get(id);
    if (holder && holder !== connection) return undefined;
    this.release(connection);
    this.#connections.set(id, connection);
    this.#ids.set(connection, id);
    return id;
  }

  release(connection: RegisteredConnection): void {
    const id = this.#ids.get(connection);
    if (id === undefined) return;
    this.#ids.delete(connection);
    this.#connections.delete(id);
  }

  /** Sends a frame, encoded once by the caller, to all registered connections but one. */
  broadcast(encode: () => string, except?: RegisteredConnection): void {
    let text: string | undefined;
    for (const connection of this.#connections.values()) {
      if (connection === except) continue;
      text ??= encode();
      connection.sendText(text);
    }
  }
}
