import assert from "node:assert/strict";
import type { Engine } from "../../../engine/app.ts";
import type { Socket, SocketSession } from "../../../engine/realtime/session.ts";
import { WATCHDOG_MS } from "../until.ts";

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
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      while (this.#looked < this.frames.length) {
        const frame = this.frames[this.#looked]!;
        this.#looked += 1;
        if (frame.type === type) return frame;
      }
      const left = deadline - Date.now();
      assert.ok(left > 0, `no ${type} among ${this.frames.map((frame) => frame.type).join(", ")}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake.push(() => {
          clearTimeout(timer);
          resolve();
        });
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
