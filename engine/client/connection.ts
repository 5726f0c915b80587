import { reasonOf } from "../../shared/client/failure.ts";
import type { ClientRequest } from "../../shared/client/request.ts";
import { onAbort } from "../../shared/on-abort.ts";
import type { Address, Endpoint } from "./endpoint.ts";
import { EngineError, EngineNotRunning, toEngineError } from "./errors.ts";
import { RECONNECT_WAIT_MAX_MS, RECONNECT_WAIT_MS } from "./limits.ts";

/** What carries requests; by default the platform's own. */
export interface Transport {
  fetch?: typeof globalThis.fetch | undefined;
  WebSocket?: typeof globalThis.WebSocket | undefined;
}

interface SendOptions {
  /** In the place of the request's signal and the client's own. */
  until?: AbortSignal;
  /** How long an engine that is away is waited for, in milliseconds; by default as the client waits. */
  waitMs?: number;
}

interface ConnectionParts extends Transport {
  endpoint: Endpoint;
  /** Aborted when the client is closed. */
  closed: AbortSignal;
  /** How long calls wait for an engine that is away, in milliseconds. */
  waitMs: number;
}

/** What sends the requests of one client. */
export type Connection = ReturnType<typeof createConnection>;

/** Requests to the engine of an endpoint. While the engine is away, a request that it cannot have run is repeated. */
export function createConnection({ endpoint, closed, ...parts }: ConnectionParts) {
  const connection = {
    /**
     * Aborted with the signal of a call, and when the client is closed. A new one for each request: `fetch` may leave its listener on
     * a signal until memory is collected, and counts those there.
     */
    until: (signal: AbortSignal | undefined) =>
      AbortSignal.any(signal ? [signal, closed] : [closed]),
    /** Waits until the endpoint allows streams. Aborted if it takes that back, and with `until`. */
    async streaming(until: AbortSignal): Promise<AbortSignal> {
      const allowed = await endpoint.streaming?.(until);
      return allowed ? AbortSignal.any([until, allowed]) : until;
    },
    /**
     * @throws EngineError unless the response is a success; EngineNotRunning if the engine stays away; the reason of the signal, or of
     * a token that could not be had
     */
    async send(request: ClientRequest, options: SendOptions = {}): Promise<Response> {
      const { until = connection.until(request.signal), waitMs = parts.waitMs } = options;
      until.throwIfAborted();
      const { fetch = globalThis.fetch } = parts;
      const attempt = (address: Address) => fetchOnce(fetch, address, request, until);
      const response = await sendWhileAway(endpoint, attempt, { request, signal: until, waitMs });
      if (response.ok) return response;
      throw await toEngineError(response);
    },
    /** Opens a WebSocket, with the token in the query (E-CLIENT-7). One that does not open is tried once more when the engine responds. */
    async openSocket(path: string, signal: AbortSignal | undefined): Promise<WebSocket> {
      const until = connection.until(signal);
      const open = async () =>
        connectSocket(parts.WebSocket ?? WebSocket, await endpoint.current(), path, until);
      try {
        return await open();
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        // Says why, waits, and renews the token: a socket tells none of these.
        const response = await connection.send(LIGHT_REQUEST, { until });
        await response.body?.cancel();
        return open();
      }
    },
  };
  return connection;
}

const LIGHT_REQUEST = { method: "GET", path: "/account/server" };

function fetchOnce(
  fetch: typeof globalThis.fetch,
  { baseUrl, token }: Address,
  { method, path, body }: ClientRequest,
  signal: AbortSignal,
): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    body: body ?? null,
    // The one way not to follow a redirect that Workers have, too.
    redirect: "manual",
    signal,
  });
}

/** The response, once an engine gives one. After a 401 the request is repeated once, with a renewed address. */
async function sendWhileAway(
  endpoint: Endpoint,
  attempt: (address: Address) => Promise<Response>,
  { request, signal, waitMs }: { request: ClientRequest; signal: AbortSignal; waitMs: number },
): Promise<Response> {
  const startedAt = Date.now();
  let address = await endpoint.current();
  let isRenewed = false;
  for (let failures = 0; ; ) {
    signal.throwIfAborted();
    const [response, failure] = await attempt(address).then(
      (answer) => [answer, undefined] as const,
      (error: unknown) => [undefined, error] as const,
    );
    signal.throwIfAborted();
    if (response && (response.status !== 401 || isRenewed)) return response;
    if (!response && !canRepeat(request, failure)) {
      throw new EngineError(describe(address, failure), { status: 0, cause: failure });
    }
    const found = await renew(endpoint, address, response ? "refused" : "unreachable");
    if (response && !found) return response;
    await response?.body?.cancel();
    if (found && !(found instanceof EngineNotRunning)) {
      address = found;
      isRenewed = response !== undefined;
      continue;
    }
    if (Date.now() - startedAt >= waitMs) {
      throw found ?? new EngineNotRunning(describe(address, failure), failure);
    }
    await pauseAfter(failures, signal);
    failures += 1;
  }
}

/** The address by now; undefined if it is the same, and the failure if no engine runs. @throws what its token throws */
async function renew(
  endpoint: Endpoint,
  ...failed: Parameters<NonNullable<Endpoint["renew"]>>
): Promise<Address | EngineNotRunning | undefined> {
  try {
    return await endpoint.renew?.(...failed);
  } catch (error) {
    if (error instanceof EngineNotRunning) return error;
    throw error;
  }
}

/** A request that only reads, or that was refused before it was sent (Node says so). */
function canRepeat({ method }: ClientRequest, error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause && typeof cause === "object" && "code" in cause ? cause.code : undefined;
  return method === "GET" || code === "ECONNREFUSED";
}

function describe({ baseUrl }: Address, cause: unknown): string {
  return `No response came from the engine at ${baseUrl}: ${reasonOf(cause)}.`;
}

function connectSocket(
  WebSocket: typeof globalThis.WebSocket,
  { baseUrl, token }: Address,
  path: string,
  signal: AbortSignal,
): Promise<WebSocket> {
  const url = `${baseUrl.replace(/^http/, "ws")}${path}`;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = new WebSocket(`${url}?token=${encodeURIComponent(token)}`);
    const removeListener = onAbort(signal, () => {
      socket.close();
      reject(signal.reason);
    });
    socket.onopen = () => resolve(socket);
    socket.onclose = () => {
      removeListener();
      // No effect if it was open.
      reject(new EngineError(`The engine opened no WebSocket at ${url}.`, { status: 0 }));
    };
  });
}

/** Waits before the next attempt, longer after each failure, until the signal is aborted. Never rejects. */
export async function pauseAfter(failures: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(
    resolve,
    Math.min(RECONNECT_WAIT_MS * 2 ** failures, RECONNECT_WAIT_MAX_MS),
  );
  const removeListener = onAbort(signal, resolve);
  await promise;
  clearTimeout(timer);
  removeListener();
}
