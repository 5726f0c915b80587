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

/** The items of a stream; it throws the signal's reason as soon as it is aborted, also if the stream ignores the signal. */
export async function* eachUntilAborted<Item>(
  signal: AbortSignal,
  stream: AsyncIterable<Item>,
): AsyncGenerator<Item> {
  const items = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await untilAborted(signal, items.next());
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited: a stream that ignores the signal would hold its reader.
    items.return?.().catch(() => {});
  }
}
