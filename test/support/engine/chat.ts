import assert from "node:assert/strict";
import type { Engine } from "../../../engine/app.ts";
import type { Socket, SocketSession } from "../../../engine/realtime/session.ts";
import { json } from "../http.ts";
import { WATCHDOG_MS } from "../time.ts";
import { createTestEngine, type EngineOverrides, type TestEngine } from "./engine.ts";
import { NOTHING_ASKED } from "./files.ts";

/** A frame as a client sees it. */
export interface ReceivedFrame {
  v: number;
  type: string;
  id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into frames of every shape.
  data: any;
}

const WAIT_MS = WATCHDOG_MS;

/** A client over an in-memory connection to an engine in this process. */
export class TestSocket implements Socket {
  /** Every frame that was sent, in order. */
  readonly frames: ReceivedFrame[] = [];
  /** Called for each frame in the tick in which it is sent. */
  onFrame: ((frame: ReceivedFrame) => void) | undefined;
  /** Set while the reader is behind. */
  behind: Promise<void> | undefined;
  closed: { code: number; reason: string } | undefined;
  readonly session: SocketSession;
  #looked = 0;
  #wake: (() => void)[] = [];

  constructor(engine: Engine) {
    this.session = engine.openSocket(this);
  }

  send(text: string): void {
    const frame = JSON.parse(text);
    this.frames.push(frame);
    this.onFrame?.(frame);
    for (const wake of this.#wake.splice(0)) wake();
  }

  caughtUp(): Promise<void> | undefined {
    return this.behind;
  }

  close(code: number, reason: string): void {
    this.closed = { code, reason };
  }

  /** Sends a frame to the engine; resolves when it was handled. */
  say(frame: unknown): Promise<void> {
    return this.session.receive(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  /** The next frame of a type that was not looked at yet; those before it count as seen. */
  async next(type: string): Promise<ReceivedFrame> {
    const watchdog = AbortSignal.timeout(WAIT_MS);
    for (;;) {
      while (this.#looked < this.frames.length) {
        const frame = this.frames[this.#looked]!;
        this.#looked += 1;
        if (frame.type === type) return frame;
      }
      const types = this.frames.map((frame) => frame.type).join(", ");
      assert.ok(!watchdog.aborted, `no ${type} among ${types}`);
      await new Promise<void>((resolve) => {
        watchdog.addEventListener("abort", () => resolve(), { once: true });
        this.#wake.push(resolve);
      });
    }
  }

  /** Sends `chat.send` and waits for the frame that ends the turn. */
  async chat(id: string, data: Record<string, unknown>): Promise<ReceivedFrame> {
    await this.say({ type: "chat.send", id, data });
    return this.ended(id);
  }

  /** The terminal frame of a turn. */
  async ended(id: string): Promise<ReceivedFrame> {
    for (;;) {
      const ended = this.frames.find((frame) => frame.id === id && isTerminal(frame));
      if (ended) return ended;
      await new Promise<void>((resolve) => {
        this.#wake.push(resolve);
      });
    }
  }

  ofType(type: string): ReceivedFrame[] {
    return this.frames.filter((frame) => frame.type === type);
  }
}

/** Whether a frame ends a turn. */
export function isTerminal({ type }: ReceivedFrame): boolean {
  return type === "chat.done" || type === "chat.cancelled" || type === "chat.error";
}

/** A UUID of version 4. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Sends `client.hello` and returns its answer. */
export async function hello(socket: TestSocket, data: unknown = {}) {
  await socket.say({ type: "client.hello", data });
  return socket.frames.at(-1)!;
}

/** The types of the frames, and of the events of the graph in them. */
export const graph = (frames: ReceivedFrame[]) =>
  frames.map(({ type, data }) => (type === "agui.event" ? data.type : type));

/** The media types whose bytes a model may receive (Engine §4, file context rule 5). */
export const MEDIA_TYPES_AS_BYTES: readonly string[] = [
  "application/pdf",
  "application/msword",
  "application/vnd.ms-excel",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "text/plain",
  "text/csv",
  "text/html",
  "text/markdown",
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
  "audio/wav",
  "audio/mpeg",
  "audio/ogg",
  "audio/flac",
  "audio/aiff",
  "audio/aac",
];

/** An engine with a workspace and a thread, and a connection to it. */
export interface ChatHarness extends AsyncDisposable {
  test: TestEngine;
  socket: TestSocket;
  workspaceUuid: string;
  threadUuid: string;
  connect(): TestSocket;
  /** The stored messages of the thread, as `[role, content]`. */
  stored(threadUuid?: string): Promise<[string, string][]>;
  /** The stored tool records of the thread. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape.
  records(): Promise<any[]>;
}

export async function createChatHarness(
  overrides: EngineOverrides = {},
  workspace: Record<string, unknown> = {},
): Promise<ChatHarness> {
  const test = await createTestEngine(overrides);
  const created = await json(
    await test.call("POST", "/workspaces", {
      name: "w",
      approvalConfig: NOTHING_ASKED,
      ...workspace,
    }),
  );
  const workspaceUuid = created.uuid;
  const thread = await json(await test.call("POST", "/threads", { workspaceUuid }));
  test.publishedEvents();
  const connect = () => new TestSocket(test.engine);
  const list = async (uuid: string): Promise<[string, string][]> => {
    const messages = await json(await test.call("GET", `/threads/${uuid}/messages`));
    return messages.map(({ role, content }: { role: string; content: string }) => [role, content]);
  };
  return {
    test,
    socket: connect(),
    workspaceUuid,
    threadUuid: thread.uuid,
    connect,
    stored: (threadUuid = thread.uuid) => list(threadUuid),
    records: async () =>
      (await list(thread.uuid))
        .filter(([role]) => role === "tool")
        .map(([, content]) => JSON.parse(content)),
    [Symbol.asyncDispose]: async () => {
      await test.engine.close();
      await test[Symbol.asyncDispose]();
    },
  };
}
