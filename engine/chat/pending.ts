import type { Timers } from "../../shared/clock.ts";

interface WaitOptions {
  /** Rejects the wait with its reason: the end of a turn settles all of its waits. */
  signal: AbortSignal;
  /** No limit where undefined. */
  timeout?: { ms: number; timers: Timers };
}

/** Pending requests to a client, by id. Each id accepts one reply. */
export class PendingReplies<Reply> {
  readonly #waiting = new Map<string, (reply: Reply | undefined) => void>();

  /** The number of pending requests. */
  get size(): number {
    return this.#waiting.size;
  }

  /** The reply, or undefined after the timeout. @throws the reason of the signal. */
  wait(id: string, { signal, timeout }: WaitOptions): Promise<Reply | undefined> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const stopTimer = timeout?.timers.after(timeout.ms, () => settle(undefined));
      const end = () => {
        this.#waiting.delete(id);
        signal.removeEventListener("abort", abort);
        stopTimer?.();
      };
      const settle = (reply: Reply | undefined) => {
        end();
        resolve(reply);
      };
      const abort = () => {
        end();
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort);
      this.#waiting.set(id, settle);
    });
  }

  /** Returns whether a request with this id was pending. */
  settle(id: string, reply: Reply): boolean {
    const settle = this.#waiting.get(id);
    settle?.(reply);
    return settle !== undefined;
  }
}
