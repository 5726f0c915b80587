import { signal } from "@preact/signals";
import { waitFor } from "./wait-for.ts";

/** A look at another tab keeps the streams. */
const HIDDEN_MS_MAX = 1000;

/** Aborted once the tab has been hidden for a moment; undefined from then on, until it is shown. */
const showing = signal<AbortController | undefined>(
  document.hidden ? undefined : new AbortController(),
);

/** Follows whether the tab is shown. */
export function startShown(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(hide, HIDDEN_MS_MAX);
    else showing.value ??= new AbortController();
  });
}

function hide(): void {
  showing.value?.abort();
  showing.value = undefined;
}

/** Whether the tab is shown, or was a moment ago. */
export const isShown = () => showing.value !== undefined;

/**
 * Resolves once the tab is shown, with what is aborted once it is hidden. A browser has six connections to one engine for all its
 * tabs, and a stream takes one: hidden tabs would keep the shown one from loading.
 */
export async function whileShown(until: AbortSignal): Promise<AbortSignal> {
  await waitFor(isShown, until);
  return showing.value?.signal ?? until;
}
