import type { Timers } from "../shared/clock.ts";

/** A signal that aborts with `signal`, or after `delayMs` with `reason`. Disposing ends its timer, and aborts what goes on. */
export function withDeadline(
  timers: Timers,
  signal: AbortSignal,
  { delayMs, reason }: { delayMs: number; reason: unknown },
): { signal: AbortSignal } & Disposable {
  const deadline = new AbortController();
  const stopTimer = timers.after(delayMs, () => deadline.abort(reason));
  return {
    signal: AbortSignal.any([signal, deadline.signal]),
    [Symbol.dispose]() {
      stopTimer();
      deadline.abort(reason);
    },
  };
}
