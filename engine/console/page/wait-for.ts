import { effect } from "@preact/signals";

/** Resolves once `check` holds, which reads signals, or `until` is aborted. */
export async function waitFor(check: () => boolean, until?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = effect(() => {
    if (check() || until?.aborted) resolve();
  });
  until?.addEventListener("abort", () => resolve());
  await promise;
  stop();
}
