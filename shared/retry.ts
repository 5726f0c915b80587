import type { Timers } from "./clock.ts";
import { onAbort } from "./on-abort.ts";

interface RetryOptions {
  timers: Timers;
  signal: AbortSignal;
  /** The wait before the next attempt, or undefined to give up. `attempt` is the failed one, from 1. */
  waitMs(error: unknown, attempt: number): number | undefined;
}

/** Repeats `send` until it succeeds. @throws its last error; the signal's reason as soon as it is aborted. */
export async function retry<Answer>(
  send: () => PromiseLike<Answer>,
  { timers, signal, waitMs }: RetryOptions,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      signal.throwIfAborted();
      const delayMs = waitMs(error, attempt);
      if (delayMs === undefined) throw error;
      await wait(timers, delayMs, signal);
    }
  }
}

async function wait(timers: Timers, delayMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const cancelTimer = timers.after(delayMs, resolve);
  const forget = onAbort(signal, () => reject(signal.reason));
  await promise.finally(() => {
    cancelTimer();
    forget();
  });
}
