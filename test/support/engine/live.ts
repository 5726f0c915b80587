import { once } from "node:events";
import { NodeSockets } from "../../../engine/realtime/node-sockets.ts";
import { serve } from "../../../shared/node/serve.ts";
import { createTestEngine, type EngineOverrides, TEST_TOKEN, type TestEngine } from "./engine.ts";
import { type LiveSocket, openSocket } from "./sockets.ts";

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
      const socket = openSocket(port, { headers });
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

/** The headers of an authenticated request. */
export const headers = { Authorization: `Bearer ${TEST_TOKEN}` };

/** Resolves after the events that are due. */
export const tick = () => new Promise(setImmediate);
