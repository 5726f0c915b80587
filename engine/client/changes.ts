import type { Connection } from "./connection.ts";
import { EngineError } from "./errors.ts";
import { RECONNECT_WAIT_MAX_MS, RECONNECT_WAIT_MS } from "./limits.ts";
import { readServerSentEvents, type ServerSentEvent } from "./server-sent-events.ts";
import type { CallOptions, ChangeEvent, ResyncChange } from "./wire.generated.ts";

/** What changed, by ids and names. */
type KnownChange<Event = Exclude<ChangeEvent, ResyncChange>> = Event extends {
  event: infer Type;
  data: infer Data;
}
  ? { type: Type; data: Data }
  : never;

/** A change; after `resync` what was read before may be out of date; `other` is of a newer engine. */
export type EngineChange =
  | KnownChange
  | { type: "resync" }
  | { type: "other"; event: string; data: unknown };

const KNOWN_TOPICS = /^(workspace|thread|message|settings|model|tool|turn|approval|rag)\.[a-z]+$/;

/**
 * Every change from now on. Connects again where the stream breaks, also to an engine that was restarted, until the signal
 * is aborted or the client is closed: then it ends without an error.
 * @throws EngineError where the engine refuses the client.
 */
export async function* readChanges(
  connection: Connection,
  { signal }: CallOptions = {},
): AsyncGenerator<EngineChange, void> {
  const until = connection.until(signal);
  let lastId = "";
  let wasOpen = false;
  let failures = 0;
  while (!until.aborted) {
    try {
      const path = lastId === "" ? "/changes" : `/changes?after=${encodeURIComponent(lastId)}`;
      const { body, headers } = await connection.send({ method: "GET", path, signal });
      failures = 0;
      // Nothing says what was lost.
      if (wasOpen && lastId === "") yield { type: "resync" };
      wasOpen = true;
      if (lastId === "") lastId = headers.get("last-event-id") ?? "";
      if (!body) continue;
      for await (const event of readServerSentEvents(body, until)) {
        lastId = event.id || lastId;
        yield toChange(event);
      }
    } catch (error) {
      if (until.aborted) return;
      if (isRefused(error)) throw error;
    }
    await pause(Math.min(RECONNECT_WAIT_MS * 2 ** failures, RECONNECT_WAIT_MAX_MS), until);
    failures += 1;
  }
}

function toChange({ event, data }: ServerSentEvent): EngineChange {
  if (event === "resync") return { type: "resync" };
  const parsed = parse(data);
  if (!KNOWN_TOPICS.test(event)) return { type: "other", event, data: parsed };
  // The engine's document has the data of each type.
  return { type: event, data: parsed } as KnownChange;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Whether the engine will answer the same again. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof EngineError)) return false;
  const { status } = error;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, delayMs);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
