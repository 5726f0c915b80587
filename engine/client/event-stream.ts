import { reasonOf } from "../../shared/client/failure.ts";
import type { ClientRequest } from "../../shared/client/request.ts";
import { type Connection, pauseAfter } from "./connection.ts";
import { EngineError, EngineNotRunning } from "./errors.ts";
import { readServerSentEvents, type ServerSentEvent } from "./server-sent-events.ts";
import { watchSilence } from "./silence.ts";

interface Resumable {
  /** The path of the events after an id; the id is empty before the first one. */
  path(lastId: string): string;
  signal: AbortSignal | undefined;
  /** For how long opening it may fail; by default for ever. */
  patienceMs?: number;
  /** Called before each attempt to open it again. */
  onAway?: (absence: { since: string; attempt: number }) => void;
}

/**
 * The headers of one stream, then its events. `waitMs` is how long an engine that is away is waited for.
 * @throws EngineError if the engine refuses it, is silent for too long, or the stream breaks; the signal's reason if it is aborted.
 */
export async function* readStream(
  connection: Connection,
  request: ClientRequest,
  waitMs?: number,
): AsyncGenerator<Headers | ServerSentEvent> {
  const watch = watchSilence(connection.until(request.signal));
  try {
    const options = { until: watch.signal, ...(waitMs === undefined ? {} : { waitMs }) };
    const { body, headers } = await connection.send(request, options);
    yield headers;
    if (!body) return;
    try {
      yield* readServerSentEvents(body, watch);
    } catch (cause) {
      watch.signal.throwIfAborted();
      const message = `The stream of the engine broke: ${reasonOf(cause)}.`;
      throw new EngineError(message, { status: 0, cause });
    }
  } finally {
    watch.end();
  }
}

/**
 * The events of a stream that is opened again if it breaks, also at an engine that was restarted. Yields `gap` if it is opened
 * again before its first id, since lost events are unknown then. Ends with its signal and with the client.
 * @throws EngineError if the engine refuses it; EngineNotRunning if it was away for longer than the patience; what its token throws
 */
export async function* followEvents(
  connection: Connection,
  { path, signal, patienceMs = Number.POSITIVE_INFINITY, onAway }: Resumable,
): AsyncGenerator<ServerSentEvent | "gap", void> {
  const until = connection.until(signal);
  let lastId = "";
  let wasOpen = false;
  /** Since when the connection is lost, and how often it was tried to open it again. */
  let absence: { sinceMs: number; attempt: number } | undefined;
  let allowed: AbortSignal | undefined;
  while (!until.aborted) {
    allowed = allowed && !allowed.aborted ? allowed : await connection.streaming(until);
    let failure: unknown;
    try {
      const request = { method: "GET", path: path(lastId), signal: allowed };
      for await (const read of readStream(connection, request, 0)) {
        absence = undefined;
        if ("event" in read) {
          lastId = read.id || lastId;
          yield read;
          continue;
        }
        if (wasOpen && lastId === "") yield "gap";
        wasOpen = true;
        lastId ||= read.get("last-event-id") ?? "";
      }
    } catch (error) {
      if (until.aborted) return;
      // Neither the engine nor its absence: the function of the token failed.
      const isForeign = !(error instanceof EngineError) && !allowed.aborted;
      if (isForeign || isRefused(error)) throw error;
      failure = error;
    }
    if (allowed.aborted) {
      // The patience counts only while requests are sent.
      absence = undefined;
      continue;
    }
    const { sinceMs, attempt } = absence ?? { sinceMs: Date.now(), attempt: 0 };
    if (attempt > 0 && Date.now() - sinceMs >= patienceMs) {
      if (failure instanceof EngineNotRunning) throw failure;
      throw new EngineNotRunning(`The engine is away: ${reasonOf(failure)}.`, failure);
    }
    absence = { sinceMs, attempt: attempt + 1 };
    onAway?.({ since: new Date(sinceMs).toISOString(), attempt: absence.attempt });
    await pauseAfter(attempt, until);
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
      return await (await connection.send(request, { waitMs: 0 })).text();
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
