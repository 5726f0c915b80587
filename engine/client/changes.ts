import type { Connection } from "./connection.ts";
import { followEvents } from "./event-stream.ts";
import { parseData, type ServerSentEvent } from "./server-sent-events.ts";
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

const KNOWN_TOPICS =
  /^(workspace|thread|message|settings|model|tool|turn|approval|grant|rag|clientKey)\.[a-z]+$/;

/**
 * Every change from now on. Connects again if the stream breaks, also to an engine that was restarted, until the signal
 * is aborted or the client is closed: then it ends without an error.
 * @throws EngineError if the engine refuses the client.
 */
export async function* readChanges(
  connection: Connection,
  { signal }: CallOptions = {},
): AsyncGenerator<EngineChange, void> {
  const path = (lastId: string) =>
    lastId === "" ? "/changes" : `/changes?after=${encodeURIComponent(lastId)}`;
  for await (const event of followEvents(connection, { path, signal })) {
    yield event === "gap" ? { type: "resync" } : toChange(event);
  }
}

function toChange({ event, data }: ServerSentEvent): EngineChange {
  if (event === "resync") return { type: "resync" };
  const parsed = parseData(data);
  if (!KNOWN_TOPICS.test(event)) return { type: "other", event, data: parsed };
  // The engine's document has the data of each type.
  return { type: event, data: parsed } as KnownChange;
}
