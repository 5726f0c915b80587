import { once } from "node:events";
import { WebSocket } from "ws";
import { NodeSockets } from "../../../engine/realtime/node-sockets.ts";
import { serve } from "../../../shared/node/serve.ts";
import { createTestEngine, type EngineOverrides, TEST_TOKEN, type TestEngine } from "./engine.ts";

/** An engine in this process that listens on a real port. */
export interface LiveEngine extends AsyncDisposable {
  test: TestEngine;
  port: number;
  /** `http://127.0.0.1:<port>/api/v1` */
  url: string;
  /** Opens a real WebSocket with the bearer; resolves once it is open. */
  connect(): Promise<LiveSocket>;
}

export async function startLiveEngine(overrides: EngineOverrides = {}): Promise<LiveEngine> {
  const test = await createTestEngine(overrides);
  const sockets = new NodeSockets({ deps: test.deps, engine: test.engine });
  const server = await serve({
    host: "127.0.0.1",
    port: 0,
    fetch: test.engine.fetch,
    onUpgrade: (incoming, connection, head) => sockets.upgrade(incoming, connection, head),
  });
  const { port } = server;
  test.deps.guard.listensOn(port);
  const url = `http://127.0.0.1:${port}/api/v1`;
  return {
    test,
    port,
    url,
    connect: async () => {
      const socket = openSocket(port);
      await once(socket.raw, "open");
      return socket;
    },
    [Symbol.asyncDispose]: async () => {
      await sockets[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await test[Symbol.asyncDispose]();
    },
  };
}

/** A client over a real WebSocket. */
export interface LiveSocket {
  raw: WebSocket;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into frames of every shape.
  frames: any[];
  say(frame: unknown): void;
  /** Resolves with the first frame that fits, seen or to come. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into frames of every shape.
  until(fits: (frame: any) => boolean): Promise<any>;
  /** The code and reason with which the connection ended. */
  closed: Promise<{ code: number; reason: string }>;
}

export interface SocketOptions {
  path?: string;
  headers?: Record<string, string>;
  /** The mask of each frame; random where it is left out. */
  generateMask?: (mask: Buffer) => void;
}

/** Begins a handshake; with the bearer unless headers are given. */
export function openSocket(port: number, options: SocketOptions = {}): LiveSocket {
  const { path = "/api/v1/events", ...own } = options;
  const bearer = { Authorization: `Bearer ${TEST_TOKEN}` };
  const ours = { headers: bearer, maxPayload: 0, ...own };
  const raw = new WebSocket(`ws://127.0.0.1:${port}${path}`, ours);
  const frames: unknown[] = [];
  const waiters = new Set<() => void>();
  raw.on("message", (data) => {
    frames.push(JSON.parse(String(data)));
    for (const wake of waiters) wake();
  });
  raw.on("error", () => {
    // The tests look at how it closed.
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    raw.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
  });
  const until = (fits: (frame: unknown) => boolean) =>
    new Promise<unknown>((resolve, reject) => {
      const look = () => {
        const found = frames.find(fits);
        if (found === undefined) return;
        waiters.delete(look);
        resolve(found);
      };
      waiters.add(look);
      void closed.then(() => reject(new Error("The socket closed.")));
      look();
    });
  const say = (frame: unknown) =>
    raw.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  return { raw, frames, say, until, closed };
}

/** The headers of an authenticated request. */
export const headers = { Authorization: `Bearer ${TEST_TOKEN}` };

/** Resolves after the events that are due. */
export const tick = () => new Promise(setImmediate);
