import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocket, WebSocketServer } from "ws";
import type { EngineDeps } from "../deps.ts";
import { type EngineError, failure } from "../errors.ts";
import { toResponse } from "../http/errors.ts";
import type { BearerCheck } from "../http/guard.ts";
import { API_PREFIX } from "../http/pipeline.ts";
import { refuseUpgrade, requestHead } from "../http/request-head.ts";
import {
  FRAME_BYTES_MAX,
  SOCKET_BACKLOG_BYTES,
  SOCKET_CLOSE_WAIT_MS,
  SOCKET_CORKED_BYTES_MAX,
  SOCKET_FRAMES_WAITING_MAX,
  SOCKET_GOODBYE_WAIT_MS,
  SOCKET_PING_INTERVAL_MS,
  SOCKET_REFUSED_FRAME_BYTES_MAX,
  SOCKET_UNSENT_BYTES_MAX,
} from "./limits.ts";
import type { Socket, SocketSession } from "./session.ts";

const UNAUTHORIZED = 4401;
const TRY_AGAIN_LATER = 1013;

interface NodeSocketsOptions {
  deps: Pick<EngineDeps, "guard" | "bearer" | "log" | "timers">;
  engine: {
    openSocket(socket: Socket): SocketSession;
    close(): Promise<void>;
  };
}

/** The only file that imports `ws`: wraps its connections as the engine's sockets. Disposal closes the engine's side first. */
export class NodeSockets implements AsyncDisposable {
  readonly #options: NodeSocketsOptions;
  readonly #server: WebSocketServer;
  /** For clients without the token: their sockets are closed with 4401, and their frames are not buffered. */
  readonly #refusing: WebSocketServer;
  readonly #answered = new WeakSet<WebSocket>();
  #stopPings: (() => void) | undefined;

  constructor(options: NodeSocketsOptions) {
    this.#options = options;
    const settings = {
      noServer: true,
      maxPayload: FRAME_BYTES_MAX,
      perMessageDeflate: false,
      // The longest wait for the answer to a close frame.
      closeTimeout: SOCKET_CLOSE_WAIT_MS,
    };
    this.#server = new WebSocketServer(settings);
    this.#refusing = new WebSocketServer({
      ...settings,
      maxPayload: SOCKET_REFUSED_FRAME_BYTES_MAX,
    });
  }

  /** Takes over a connection that asks to become a WebSocket. */
  upgrade(incoming: IncomingMessage, connection: Duplex, head: Buffer): void {
    const { guard, bearer, log } = this.#options.deps;
    const target = incoming.url ?? "/";
    const authorization = incoming.headersDistinct.authorization?.join(", ") ?? null;
    const decision =
      guard.checkHostAndOrigin(requestHead(incoming)) ??
      decideUpgrade({ target, authorization }, bearer);
    if (decision instanceof Error) {
      void refuseUpgrade(connection, toResponse(decision, log));
      return;
    }
    const server = decision === "open" ? this.#server : this.#refusing;
    server.handleUpgrade(incoming, connection, head, (socket) => {
      // A protocol violation of the client closes its connection and nothing else.
      socket.on("error", (error) => log.debug({ error }, "A socket failed."));
      if (decision === "open") this.#open(socket, connection);
      else socket.close(UNAUTHORIZED, "Missing or invalid bearer token.");
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { deps, engine } = this.#options;
    this.#stopPings?.();
    for (const socket of this.#refusing.clients) socket.terminate();
    const allClosed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await engine.close();
    const stopTimer = deps.timers.after(SOCKET_GOODBYE_WAIT_MS, () => {
      for (const socket of this.#server.clients) socket.terminate();
    });
    await allClosed;
    stopTimer();
  }

  #open(socket: WebSocket, connection: Duplex): void {
    const onGone = () => void session.close();
    const session = this.#options.engine.openSocket(new NodeSocket(socket, connection, onGone));
    const waiting = { frames: 0, bytes: 0 };
    const isFull = () =>
      waiting.frames >= SOCKET_FRAMES_WAITING_MAX || waiting.bytes >= FRAME_BYTES_MAX;
    socket.on("message", (data, isBinary) => {
      const text = isBinary ? undefined : String(data);
      const bytes = text?.length ?? 0;
      waiting.frames += 1;
      waiting.bytes += bytes;
      if (isFull()) socket.pause();
      void session.receive(text).then(() => {
        waiting.frames -= 1;
        waiting.bytes -= bytes;
        if (socket.isPaused && !isFull()) socket.resume();
      });
    });
    socket.on("pong", () => this.#answered.add(socket));
    this.#answered.add(socket);
    this.#stopPings ??= this.#pingLater();
  }

  #pingLater(): () => void {
    return this.#options.deps.timers.after(SOCKET_PING_INTERVAL_MS, () => {
      this.#stopPings = undefined;
      for (const socket of this.#server.clients) this.#ping(socket);
      if (this.#server.clients.size > 0) this.#stopPings = this.#pingLater();
    });
  }

  #ping(socket: WebSocket): void {
    if (!this.#answered.delete(socket)) socket.terminate();
    else if (socket.readyState === WebSocket.OPEN) socket.ping();
  }
}

class NodeSocket implements Socket {
  readonly #socket: WebSocket;
  readonly #connection: Duplex;
  readonly #onGone: () => void;
  /** The longest unsent frame: one large frame does not make its reader slow. */
  #longestUnsent = 0;
  #isCorked = false;
  #waiters: (() => void)[] = [];
  readonly #sent = () => {
    if (this.#waiters.length > 0 && !this.#isBehind()) this.#wake();
  };

  /** `onGone` is called when the connection is closed or terminated, without waiting for the client. */
  constructor(socket: WebSocket, connection: Duplex, onGone: () => void) {
    this.#socket = socket;
    this.#connection = connection;
    this.#onGone = onGone;
    socket.on("close", () => {
      this.#wake();
      onGone();
    });
  }

  send(text: string): void {
    const socket = this.#socket;
    if (socket.readyState !== WebSocket.OPEN) return;
    const unsent = socket.bufferedAmount;
    if (unsent === 0) this.#longestUnsent = 0;
    if (unsent - this.#longestUnsent > SOCKET_UNSENT_BYTES_MAX) {
      this.close(TRY_AGAIN_LATER, "The frames are not read fast enough.");
      this.#onGone();
      return;
    }
    this.#longestUnsent = Math.max(this.#longestUnsent, text.length);
    this.#cork();
    socket.send(text, this.#sent);
    if (socket.bufferedAmount > SOCKET_CORKED_BYTES_MAX) this.#uncork();
  }

  caughtUp(): Promise<void> | undefined {
    if (!this.#isBehind()) return undefined;
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
    });
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  #isBehind(): boolean {
    const { readyState, bufferedAmount } = this.#socket;
    return readyState === WebSocket.OPEN && bufferedAmount > SOCKET_BACKLOG_BYTES;
  }

  /** The frames of one tick go to the system in one call, which costs as much as all else of a short frame. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#connection.cork();
    process.nextTick(() => this.#uncork());
  }

  #uncork(): void {
    if (!this.#isCorked) return;
    this.#isCorked = false;
    this.#connection.uncork();
  }

  #wake(): void {
    for (const resolve of this.#waiters.splice(0)) resolve();
  }
}

const SOCKET_PATH = `${API_PREFIX}/events`;
const BEARER_VALUE = /^bearer\s+\S/i;

interface UpgradeRequest {
  /** The request target: a path, or a whole URL. */
  target: string;
  authorization: string | null;
}

type TokenCheck = Pick<BearerCheck, "acceptsHeader" | "acceptsToken">;

/**
 * Decides on a handshake that passed the guard: a socket; a socket that is closed at once with 4401, so that its client
 * gets the reason; or, on another path, an HTTP error.
 * @internal for tests
 */
export function decideUpgrade(
  { target, authorization }: UpgradeRequest,
  bearer: TokenCheck,
): "open" | "unauthorized" | EngineError {
  const url = URL.parse(target, "http://localhost");
  if (url?.pathname !== SOCKET_PATH) {
    return bearer.acceptsHeader(authorization) ? failure("not_found") : failure("unauthorized");
  }
  return isAuthorized(url, authorization, bearer) ? "open" : "unauthorized";
}

// A supplied bearer decides, even if it is wrong (Engine §5, authentication 5).
function isAuthorized(url: URL, authorization: string | null, bearer: TokenCheck): boolean {
  if (authorization !== null && BEARER_VALUE.test(authorization)) {
    return bearer.acceptsHeader(authorization);
  }
  const token = url.searchParams.get("token");
  return token !== null && bearer.acceptsToken(token);
}
