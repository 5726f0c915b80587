import { onAbort } from "../../shared/on-abort.ts";
import { EngineError } from "./errors.ts";
import { STREAM_SILENCE_LOOKS, STREAM_SILENCE_MAX_MS } from "./limits.ts";

/** Watches a stream from its request on, whose other end may be gone without notice; the engine sends a comment every 15 s. */
export function watchSilence(until: AbortSignal) {
  const silent = new AbortController();
  let isWaiting = true;
  let looks = 0;
  const timer = setInterval(() => {
    looks += isWaiting ? 1 : 0;
    if (looks < STREAM_SILENCE_LOOKS) return;
    const message = `The engine sent nothing for ${STREAM_SILENCE_MAX_MS / 1000} s.`;
    end();
    silent.abort(new EngineError(message, { status: 0 }));
  }, STREAM_SILENCE_MAX_MS / STREAM_SILENCE_LOOKS);
  // A reader that is not asked for more never comes to its end.
  const removeListener = onAbort(until, () => {
    clearInterval(timer);
    silent.abort(until.reason);
  });
  const end = () => {
    clearInterval(timer);
    removeListener();
  };
  return {
    /** Aborted with the signal that it was made of, and after too long a silence. */
    signal: silent.signal,
    /** Begins anew: something arrived, or the next piece is waited for. While a reader is busy, nothing is. */
    wait(isNowWaiting: boolean): void {
      isWaiting = isNowWaiting;
      looks = 0;
    },
    end,
  };
}
