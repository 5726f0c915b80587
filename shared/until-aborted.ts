/**
 * The outcome of `work`, or the signal's reason as soon as it is aborted, even if `work` ignores the signal.
 * What `work` comes to afterwards is dropped.
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
