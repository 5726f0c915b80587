import { signal } from "@preact/signals";

const UNAUTHORIZED = 401;
const HEALTH = "/api/v1/health";

/** False since a request that the engine did not answer. */
export const isReachable = signal(true);

/** How often the engine answered again after it had not. */
export const returns = signal(0);

/** Sends requests, and tells whether the engine answers. */
export function watchedFetch(onUnauthorized: (authorization: string | null) => void): typeof fetch {
  return async (input, init) => {
    try {
      const response = await fetch(input, init);
      reached();
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

/** Asks whether the engine answers now. */
export async function probe(): Promise<void> {
  try {
    await fetch(HEALTH, { cache: "no-store" });
    reached();
  } catch {
    // Not yet: the caller asks again.
  }
}

function reached(): void {
  if (isReachable.value) return;
  isReachable.value = true;
  returns.value += 1;
}
