import type { Timers } from "../../shared/clock.ts";
import { onAbort } from "../../shared/on-abort.ts";

interface WaitOptions {
  /** Rejects the wait with its reason: all waits of a turn end with it. */
  signal: AbortSignal;
  /** No limit if undefined. */
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
      const end = () => {
        this.#waiting.delete(id);
        removeListener();
        stopTimer?.();
      };
      const answer = (reply: Reply | undefined) => {
        end();
        resolve(reply);
      };
      const stopTimer = timeout?.timers.after(timeout.ms, () => answer(undefined));
      const removeListener = onAbort(signal, () => {
        end();
        reject(signal.reason);
      });
      this.#waiting.set(id, answer);
    });
  }

  /** Answers a request. Returns whether one with this id was pending. */
  resolve(id: string, reply: Reply): boolean {
    const answer = this.#waiting.get(id);
    answer?.(reply);
    return answer !== undefined;
  }
}
