import { signal } from "@preact/signals";
import { redactBody } from "./redact-body.ts";

/** One request of this session, as the activity page lists it. */
export interface SentRequest {
  at: number;
  method: string;
  /** Path and query. */
  path: string;
  /** Without its secrets. */
  body: string | undefined;
  /** Undefined while it runs; 0 where the engine did not answer. */
  status: number | undefined;
  durationMs: number | undefined;
}

const REQUESTS_KEPT_MAX = 500;
const BODY_CHARACTERS_KEPT_MAX = 4096;
const UNAUTHORIZED = 401;
// A probe of the console itself is not a request of a page.
const HEALTH = "/api/v1/health";
// The home page asks every few seconds: listed, these would push all others out.
const SAMPLE = "/api/v1/status";

/** The last requests, the oldest first. */
export const requests = signal<readonly SentRequest[]>([]);

/** False since a request that the engine did not answer. */
export const isReachable = signal(true);

/** How often the engine answered again after it had not. */
export const returns = signal(0);

/** Sends requests, lists them, and tells whether the engine answers. */
export function watchedFetch(onUnauthorized: (authorization: string | null) => void): typeof fetch {
  return async (input, init) => {
    const sent = describe(String(input), init);
    if (sent.path !== SAMPLE) requests.value = [...requests.value, sent].slice(-REQUESTS_KEPT_MAX);
    const started = performance.now();
    const finish = (status: number) => {
      const durationMs = performance.now() - started;
      requests.value = requests.value.map((it) =>
        it === sent ? { ...sent, status, durationMs } : it,
      );
    };
    try {
      const response = await fetch(input, init);
      finish(response.status);
      reached();
      if (response.status === UNAUTHORIZED) {
        onUnauthorized(new Headers(init?.headers).get("Authorization"));
      }
      return response;
    } catch (error) {
      finish(0);
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

function describe(address: string, init: RequestInit | undefined): SentRequest {
  const { pathname, search } = new URL(address);
  return {
    at: Date.now(),
    method: init?.method ?? "GET",
    path: `${pathname}${search}`,
    body:
      typeof init?.body === "string"
        ? redactBody(init.body).slice(0, BODY_CHARACTERS_KEPT_MAX)
        : undefined,
    status: undefined,
    durationMs: undefined,
  };
}
