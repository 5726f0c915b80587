import { retry } from "../../../shared/retry.ts";
import type { EngineDeps } from "../../deps.ts";
import { MODEL_RETRIES_MAX, MODEL_RETRY_WAIT_MS, MODEL_RETRY_WAIT_MS_MAX } from "../limits.ts";
import { type ProviderError, readProviderError } from "./provider-error.ts";
import type { WireWatch } from "./wire-watch.ts";

type RetryDeps = Pick<EngineDeps, "timers" | "clock" | "log"> & {
  retriesMax: number;
  /** Whether the caller changes the request after this error. */
  endsRetries(error: ProviderError): boolean;
  /** Called before each wait. */
  onRetry(retry: { attempt: number; afterMs: number; error: unknown }): void;
};

/** Retries a request that the provider could not take, unless the provider has begun its response. */
export function withRetries<Answer>(
  { timers, clock, log, retriesMax, endsRetries, onRetry }: RetryDeps,
  send: () => PromiseLike<Answer>,
  { signal, answering }: Pick<WireWatch, "signal" | "answering">,
): Promise<Answer> {
  const waitMs = (error: unknown, attempt: number) => {
    // Some packages read the first events of a response before they return it.
    if (answering() || attempt > Math.min(retriesMax, MODEL_RETRIES_MAX)) return undefined;
    const read = readProviderError(error);
    if (endsRetries(read)) return undefined;
    const afterMs = retryWaitMs(read, attempt, clock.now());
    if (afterMs === undefined) return undefined;
    const fields = { status: read.status, networkCode: read.networkCode, waitMs: afterMs };
    log.info(fields, "A model provider did not take a request; it is sent again.");
    onRetry({ attempt, afterMs, error });
    return afterMs;
  };
  return retry(send, { timers, signal, waitMs });
}

/** Undefined if a retry would fail as well, or would be too late. */
function retryWaitMs(error: ProviderError, attempt: number, nowMs: number): number | undefined {
  if (!error.retryable) return undefined;
  const waitMs = askedWaitMs(error.headers, nowMs) ?? MODEL_RETRY_WAIT_MS * 2 ** (attempt - 1);
  return waitMs <= MODEL_RETRY_WAIT_MS_MAX ? Math.max(0, waitMs) : undefined;
}

// RFC 9110 §10.2.3: seconds or a date. OpenAI and Azure also send `retry-after-ms`.
function askedWaitMs(headers: ProviderError["headers"], nowMs: number): number | undefined {
  const asked = headers["retry-after"];
  const waits = [
    Number.parseFloat(headers["retry-after-ms"] ?? ""),
    /^\s*\d+(\.\d+)?\s*$/.test(asked ?? "") ? Number(asked) * 1000 : Number.NaN,
    Date.parse(asked ?? "") - nowMs,
  ];
  return waits.find((waitMs) => Number.isFinite(waitMs));
}
