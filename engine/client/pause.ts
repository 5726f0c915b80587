import { onAbort } from "../../shared/on-abort.ts";
import { RECONNECT_WAIT_MAX_MS, RECONNECT_WAIT_MS } from "./limits.ts";

/** Waits before the next attempt, longer after each failure, until the signal is aborted. Never rejects. */
export function pauseAfter(failures: number, signal: AbortSignal): Promise<void> {
  const delayMs = Math.min(RECONNECT_WAIT_MS * 2 ** failures, RECONNECT_WAIT_MAX_MS);
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      removeListener();
      resolve();
    }, delayMs);
    const removeListener = onAbort(signal, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
