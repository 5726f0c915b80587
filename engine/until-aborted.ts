/**
 * The outcome of `work`, or the signal's reason as soon as it is aborted, also where `work` ignores the signal. A later
 * outcome of `work` is dropped.
 */
export function untilAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    const end = () => signal.removeEventListener("abort", abort);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
    work.then(resolve, reject).finally(end);
  });
}
