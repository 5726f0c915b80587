import { WebSocket } from "ws";

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

/** Begins a handshake. */
export function openSocket(port: number, options: SocketOptions = {}): LiveSocket {
  const { path = "/api/v1/events", ...own } = options;
  const raw = new WebSocket(`ws://127.0.0.1:${port}${path}`, { maxPayload: 0, ...own });
  const frames: unknown[] = [];
  const waiters = new Set<(frame: unknown) => void>();
  raw.on("message", (data) => {
    const frame: unknown = JSON.parse(String(data));
    frames.push(frame);
    for (const look of waiters) look(frame);
  });
  raw.on("error", () => {
    // The tests look at how it closed.
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    raw.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
  });
  const until = (fits: (frame: unknown) => boolean) =>
    new Promise<unknown>((resolve, reject) => {
      const found = frames.find(fits);
      if (found !== undefined) return resolve(found);
      const look = (frame: unknown) => {
        if (!fits(frame)) return;
        waiters.delete(look);
        resolve(frame);
      };
      waiters.add(look);
      void closed.then(() => reject(new Error("The socket closed.")));
    });
  const say = (frame: unknown) =>
    raw.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  return { raw, frames, say, until, closed };
}
