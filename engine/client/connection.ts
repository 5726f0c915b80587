import { reasonOf } from "../../shared/client/failure.ts";
import type { ClientRequest } from "../../shared/client/request.ts";
import { onAbort } from "../../shared/on-abort.ts";
import type { Address, Endpoint } from "./endpoint.ts";
import { EngineError, toEngineError } from "./errors.ts";

type Fetch = typeof globalThis.fetch;

/** What sends the requests of one client. */
export interface Connection {
  /**
   * `until` is the signal in the place of the request's and the client's own.
   * @throws EngineError unless the response is a success; the signal's reason if it is aborted.
   */
  send(request: ClientRequest, until?: AbortSignal): Promise<Response>;
  /** Aborted with the signal of a call, and when the client is closed. */
  until(signal: AbortSignal | undefined): AbortSignal;
  /** Waits until the endpoint allows streams. Aborted if it takes that back, and with `until`. */
  streaming(until: AbortSignal): Promise<AbortSignal>;
}

/** Requests to the engine of an endpoint. After a restart of the engine, a request that it cannot have run is repeated. */
export function createConnection(
  endpoint: Endpoint,
  fetch: Fetch,
  closed: AbortSignal,
): Connection {
  const attempt = (request: ClientRequest, { baseUrl, token }: Address, signal: AbortSignal) =>
    fetch(`${baseUrl}${request.path}`, {
      method: request.method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(request.body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: request.body ?? null,
      // The one way not to follow a redirect that Workers have, too.
      redirect: "manual",
      signal,
    });
  const sendOnce = async (request: ClientRequest, signal: AbortSignal): Promise<Response> => {
    const address = endpoint.current();
    try {
      const response = await attempt(request, address, signal);
      if (response.status !== 401) return response;
      const renewed = await endpoint.renew?.(address);
      if (!renewed) return response;
      await response.body?.cancel();
      return await attempt(request, renewed, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof EngineError) throw error;
      const renewed = await endpoint.renew?.(address);
      if (!renewed || !canRepeat(request, error)) throw unanswered(address, error);
      return await attempt(request, renewed, signal).catch((again: unknown) => {
        signal.throwIfAborted();
        throw unanswered(renewed, again);
      });
    }
  };
  // A new one for each request: `fetch` may leave its listener on a signal until memory is collected, and counts those there.
  const until = (signal: AbortSignal | undefined) =>
    AbortSignal.any(signal ? [signal, closed] : [closed]);
  return {
    until,
    async streaming(signal) {
      const allowed = await endpoint.streaming?.(signal);
      return allowed ? AbortSignal.any([signal, allowed]) : signal;
    },
    async send(request, signal = until(request.signal)) {
      signal.throwIfAborted();
      const response = await sendOnce(request, signal);
      if (response.ok) return response;
      throw await toEngineError(response);
    },
  };
}

/** A request that only reads, or that was refused before it was sent (Node says so). */
function canRepeat({ method }: ClientRequest, error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause && typeof cause === "object" && "code" in cause ? cause.code : undefined;
  return method === "GET" || code === "ECONNREFUSED";
}

function unanswered({ baseUrl }: Address, cause: unknown): EngineError {
  const message = `No response came from the engine at ${baseUrl}: ${reasonOf(cause)}.`;
  return new EngineError(message, { status: 0, cause });
}

/** Opens a WebSocket, with the token in the query (E-CLIENT-7). */
export function startSocket(
  WebSocket: typeof globalThis.WebSocket,
  endpoint: Endpoint,
  path: string,
  signal: AbortSignal,
): Promise<WebSocket> {
  const { baseUrl, token } = endpoint.current();
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
