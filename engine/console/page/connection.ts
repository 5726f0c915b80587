import { signal } from "@preact/signals";

const UNAUTHORIZED = 401;

/** False since a request got no response. */
export const isReachable = signal(true);

/** Whether the stream of changes has been open: what was read before it may miss some. */
export const hearsChanges = signal(false);

/** How often the engine responded again after an outage. */
export const reconnectCount = signal(0);

/** Sends requests, and reports whether the engine responds. */
export function watchedFetch(onUnauthorized: (authorization: string | null) => void): typeof fetch {
  return async (input, init) => {
    try {
      const response = await fetch(input, init);
      if (!isReachable.value) reconnectCount.value += 1;
      isReachable.value = true;
      if (response.ok && /\/changes(\?|$)/.test(String(input))) hearsChanges.value = true;
      if (response.status === UNAUTHORIZED) {
        onUnauthorized(new Headers(init?.headers).get("Authorization"));
      }
      return response;
    } catch (error) {
      if (!init?.signal?.aborted) isReachable.value = false;
      throw error;
    }
  };
}
