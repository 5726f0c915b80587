import { effect } from "@preact/signals";

/** Resolves once `check` holds, which reads signals, or `until` is aborted. */
export async function waitFor(check: () => boolean, until?: AbortSignal): Promise<void> {
  let stop = () => {};
  await new Promise<void>((resolve) => {
    stop = effect(() => {
      if (check()) resolve();
    });
    until?.addEventListener("abort", () => resolve());
    if (until?.aborted) resolve();
  });
  stop();
}
