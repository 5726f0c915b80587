import { onAbort } from "../../shared/on-abort.ts";
import type { Endpoint } from "./endpoint.ts";
import { EngineError } from "./errors.ts";

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
