import type { ClientRequest } from "../../shared/client/request.ts";
import { onAbort } from "../../shared/on-abort.ts";
import type { Connection } from "./connection.ts";
import { EngineError } from "./errors.ts";
import { RECONNECT_WAIT_MAX_MS, RECONNECT_WAIT_MS } from "./limits.ts";
import { readServerSentEvents, type ServerSentEvent } from "./server-sent-events.ts";
import { watchSilence } from "./silence.ts";

/** A stream that can be resumed. */
interface Resumable {
  /** The path of the events after an id; the id is empty before the first one. */
  path(lastId: string): string;
  signal: AbortSignal | undefined;
  /** For how long opening it may fail; by default for ever. */
  patienceMs?: number;
}

/**
 * The headers of one stream, then its events.
 * @throws EngineError if the engine refuses it, or is silent for too long; the signal's reason if it is aborted.
 */
export async function* readStream(
  connection: Connection,
  request: ClientRequest,
): AsyncGenerator<Headers | ServerSentEvent> {
  const watch = watchSilence(connection.until(request.signal));
  try {
    const { body, headers } = await connection.send(request, watch.signal);
    yield headers;
    if (body) yield* readServerSentEvents(body, watch);
  } finally {
    watch.end();
  }
}

/**
 * The events of a stream that is opened again if it breaks, also at an engine that was restarted. Yields `gap` if it is opened
 * again before its first id, since lost events are unknown then. Ends with its signal and with the client.
 * @throws EngineError if the engine refuses it, or was away for longer than the patience.
 */
export async function* followEvents(
  connection: Connection,
  { path, signal, patienceMs = Number.POSITIVE_INFINITY }: Resumable,
): AsyncGenerator<ServerSentEvent | "gap", void> {
  const until = connection.until(signal);
  let lastId = "";
  let wasOpen = false;
  let failures = 0;
  let allowed: AbortSignal | undefined;
  let lastOpenAt = 0;
  while (!until.aborted) {
    if (!allowed || allowed.aborted) {
      allowed = await connection.streaming(until);
      // The patience counts only while requests are sent.
      lastOpenAt = Date.now();
    }
    try {
      for await (const read of readStream(connection, {
        method: "GET",
        path: path(lastId),
        signal: allowed,
      })) {
        if ("event" in read) {
          lastId = read.id || lastId;
          yield read;
        } else {
          failures = 0;
          if (wasOpen && lastId === "") yield "gap";
          wasOpen = true;
          lastId ||= read.get("last-event-id") ?? "";
        }
        lastOpenAt = Date.now();
      }
    } catch (error) {
      if (until.aborted) return;
      if (allowed.aborted) continue;
      if (isRefused(error) || Date.now() - lastOpenAt > patienceMs) throw error;
    }
    await pauseAfter(failures, until);
    failures += 1;
  }
}

/**
 * Sends a request until the engine answers it, or the signal is aborted.
 * @returns the text of the response; undefined if the engine refuses it, or the signal was aborted first.
 */
export async function sendUntilAnswered(
  connection: Connection,
  request: ClientRequest & { signal: AbortSignal },
): Promise<string | undefined> {
  const until = connection.until(request.signal);
  for (let failures = 0; !until.aborted; failures += 1) {
    try {
      return await (await connection.send(request)).text();
    } catch (error) {
      if (isRefused(error)) return undefined;
    }
    await pauseAfter(failures, until);
  }
  return undefined;
}

/** Whether a retry would fail in the same way. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof EngineError)) return false;
  const { status } = error;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function pauseAfter(failures: number, signal: AbortSignal): Promise<void> {
  const delayMs = Math.min(RECONNECT_WAIT_MS * 2 ** failures, RECONNECT_WAIT_MAX_MS);
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      removeListener();
      resolve();
    }, delayMs);
    const removeListener = onAbort(signal, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
