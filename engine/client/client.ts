import { bindOperations } from "../../shared/client/operation.ts";
import { callOperation, readPages } from "./call.ts";
import { type EngineChange, readChanges } from "./changes.ts";
import {
  type ChatDeps,
  type ChatInput,
  type ChatOptions,
  type ChatTurn,
  type FollowOptions,
  startChat,
} from "./chat.ts";
import { createConnection, type Transport } from "./connection.ts";
import { type Endpoint, fixedEndpoint, type Token } from "./endpoint.ts";
import { EngineError } from "./errors.ts";
import { beginTurn, followTurn } from "./http-turn.ts";
import { RECONNECT_MS } from "./limits.ts";
import { OPERATIONS } from "./operations.generated.ts";
import { runSocketTurn } from "./socket-turn.ts";
import type { CallOptions, Namespaces, Operations } from "./wire.generated.ts";

// `roundhouse/client`: the client of the engine on nothing but the web platform, for browsers, Node, Deno and Workers.
export type { ApprovalRequest, ChatEvent, ChatResult } from "./chat.ts";
export { EngineNotRunning, TurnCancelled, TurnFailed } from "./errors.ts";
export type * from "./wire.generated.ts";
export type { ChatInput, ChatOptions, ChatTurn, EngineChange, FollowOptions, Transport };
export { EngineError };

/** The address of the engine, and replacements of the platform's functions. */
export interface ClientOptions extends Transport {
  /** The address of the engine, with or without `/api/v1`. */
  baseUrl: string;
  /** The token of `runtime.json`, or a function that gives it: it is called again after a restart of the engine. */
  token: Token;
  /** How long calls and turns wait for an engine that is away, in milliseconds: 30,000 by default; 0 does not wait. */
  reconnectMs?: number;
}

/** The operations of an engine. Its disposal ends what runs. */
export interface EngineClient extends Namespaces, AsyncDisposable {
  /** Every operation by its `operationId`. */
  operations: Operations;
  /**
   * Every change from now on, also over restarts of the engine; `{type: "resync"}` if changes may be missing. It ends when
   * the signal is aborted or the client is closed.
   */
  changes(options?: CallOptions): AsyncGenerator<EngineChange, void>;
  /** The pages of a list, the newest first; `limit` is the size of a page: `pages("listThreads", uuid, { limit: 100 })`. */
  pages<Id extends "listThreads" | "listMessages">(
    operation: Id,
    ...args: Parameters<Operations[Id]>
  ): AsyncGenerator<Awaited<ReturnType<Operations[Id]>>, void>;
  /**
   * Runs a turn: iterate over it for its events, await it for its text. Leaving the loop does not stop the turn;
   * to abort the signal does.
   */
  chat(input: ChatInput, options?: ChatOptions): ChatTurn;
  /** Follows a turn over HTTP that any client began, from its beginning. */
  follow(turnUuid: string, options?: FollowOptions): ChatTurn;
}

/** A client of the engine at `baseUrl`. */
export function createClient(options: ClientOptions): EngineClient {
  return clientOf(fixedEndpoint(options), { reconnectMs: RECONNECT_MS, ...options });
}

/**
 * A client of the engine of an endpoint. `onClose` runs at its disposal. Without `reconnectMs` its turns wait for an engine that is
 * away, and its calls do not: their failure is the sign of it.
 */
export function clientOf(
  endpoint: Endpoint,
  { reconnectMs, ...transport }: Transport & { reconnectMs?: number | undefined },
  onClose: () => Promise<void> = async () => {},
): EngineClient {
  const closing = new AbortController();
  const { signal: closed } = closing;
  const connection = createConnection({ ...transport, endpoint, closed, waitMs: reconnectMs ?? 0 });
  // The generator writes these types from the same rows.
  const api = bindOperations(OPERATIONS, (operation, args) =>
    callOperation(connection, operation, args),
  ) as unknown as Namespaces & { operations: Operations };
  const { operations } = api;
  return {
    ...api,
    ...chatOf({ connection, operations, reconnectMs: reconnectMs ?? RECONNECT_MS }),
    changes: (options) => readChanges(connection, options),
    // The table has the type of each response.
    pages: (id, ...args) => readPages(connection, OPERATIONS[id], args) as AsyncGenerator<never>,
    async [Symbol.asyncDispose]() {
      closing.abort(new EngineError("The client is closed.", { status: 0 }));
      await onClose();
    },
  };
}

function chatOf(deps: ChatDeps) {
  return {
    chat: (input: ChatInput, options: ChatOptions = {}) =>
      startChat(async (emit) => {
        requireValid(input, options);
        if (options.transport === "websocket") return runSocketTurn(deps, input, options, emit);
        // Without a handler approvals are denied, rather than left to others.
        const onApproval = options.onApproval ?? (() => false);
        return followTurn(deps, () => beginTurn(deps, input), { ...options, onApproval }, emit);
      }),
    follow: (turnUuid: string, options: FollowOptions = {}) =>
      startChat((emit) => followTurn(deps, () => deps.operations.getTurn(turnUuid), options, emit)),
  };
}

function requireValid(input: ChatInput, options: ChatOptions): void {
  const { threadUuid, workspaceUuid, replaces } = input;
  if ((threadUuid === undefined) === (workspaceUuid === undefined)) {
    throw new TypeError("chat: exactly one of threadUuid and workspaceUuid is needed.");
  }
  if (replaces !== undefined && (threadUuid === undefined || options.transport === "websocket")) {
    throw new TypeError("chat: replaces needs threadUuid, and a turn over HTTP.");
  }
  if (options.uiTools && options.transport !== "websocket") {
    throw new TypeError('chat: uiTools need transport: "websocket".');
  }
}
