import type { EngineDeps } from "../../deps.ts";
import { MODEL_RETRIES_MAX, MODEL_RETRY_WAIT_MS, MODEL_RETRY_WAIT_MS_MAX } from "../../limits.ts";
import { type ProviderError, readProviderError } from "./provider-error.ts";
import type { WireWatch } from "./wire-watch.ts";

type WaitDeps = Pick<EngineDeps, "timers" | "clock" | "log">;
type RetryDeps = WaitDeps & {
  retriesMax: number;
  /** Called before each wait. */
  onRetry(retry: { attempt: number; afterMs: number; error: unknown }): void;
};

/**
 * Sends a request again where the provider could not take it: a few times, as late as its `Retry-After` wants, and never
 * after it has begun to answer. Ends at once when the signal does.
 */
export async function withRetries<Answer>(
  deps: RetryDeps,
  send: () => PromiseLike<Answer>,
  { signal, answering }: Pick<WireWatch, "signal" | "answering">,
): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      signal.throwIfAborted();
      // Some packages read the first events of an answer before they hand it over.
      if (answering() || attempt >= deps.retriesMax) throw error;
      const read = readProviderError(error);
      const waitMs = retryWaitMs(read, attempt, deps.clock.now());
      if (waitMs === undefined) throw error;
      const fields = { status: read.status, networkCode: read.networkCode, waitMs };
      deps.log.info(fields, "A model provider did not take a request; it is sent again.");
      deps.onRetry({ attempt: attempt + 1, afterMs: waitMs, error });
      await wait(deps, waitMs, signal);
    }
  }
}

/** Undefined where it makes no sense to try again, or not soon enough. */
export function retryWaitMs(
  error: ProviderError,
  attempt: number,
  nowMs: number,
): number | undefined {
  if (!error.retryable || attempt >= MODEL_RETRIES_MAX) return undefined;
  const waitMs = askedWaitMs(error.headers, nowMs) ?? MODEL_RETRY_WAIT_MS * 2 ** attempt;
  return waitMs <= MODEL_RETRY_WAIT_MS_MAX ? Math.max(0, waitMs) : undefined;
}

// RFC 9110 §10.2.3: seconds or a date. `retry-after-ms` is what OpenAI and Azure send beside it.
function askedWaitMs(headers: ProviderError["headers"], nowMs: number): number | undefined {
  const asked = headers["retry-after"];
  const waits = [
    Number.parseFloat(headers["retry-after-ms"] ?? ""),
    /^\s*\d+(\.\d+)?\s*$/.test(asked ?? "") ? Number(asked) * 1000 : Number.NaN,
    Date.parse(asked ?? "") - nowMs,
  ];
  return waits.find((waitMs) => Number.isFinite(waitMs));
}

function wait({ timers }: WaitDeps, waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const cancelTimer = timers.after(waitMs, () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
    const stop = () => {
      cancelTimer();
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}
