import { onAbort } from "../shared/on-abort.ts";

/**
 * The outcome of `work`, or the signal's reason as soon as it is aborted, also if `work` ignores the signal. A later
 * outcome of `work` is dropped.
 */
export function untilAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    work.then(resolve, reject).finally(onAbort(signal, () => reject(signal.reason)));
  });
}
