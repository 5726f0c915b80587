import type { Timers } from "../../shared/timers.ts";

interface WaitOptions {
  /** Ends the wait with its reason: whatever ends the turn settles all of its waits. */
  signal: AbortSignal;
  /** No limit where undefined. */
  timeout?: { ms: number; timers: Timers };
}

/** Questions that somebody else has yet to answer, by id. An id is good for one answer. */
export class PendingReplies<Reply> {
  readonly #waiting = new Map<string, (reply: Reply | undefined) => void>();

  /** How many are unanswered. */
  get size(): number {
    return this.#waiting.size;
  }

  /** The reply, or undefined where the time was up. @throws the reason of the signal. */
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

  /** Whether anybody waited for it. */
  settle(id: string, reply: Reply): boolean {
    const settle = this.#waiting.get(id);
    settle?.(reply);
    return settle !== undefined;
  }
}
