import type { EventBus, PublishedEvent } from "../events/bus.ts";
import { EventLog } from "../events/event-log.ts";
import { SSE_QUEUE_EVENTS_MAX } from "./limits.ts";

/** The streams of `GET /stream`: only future events, and a slow reader loses the oldest (Engine §6, server-sent events 4). */
export class EventStreams {
  readonly #log = new EventLog({
    eventsMax: SSE_QUEUE_EVENTS_MAX,
    // The specification bounds the number of events and no more.
    bytesMax: Number.POSITIVE_INFINITY,
    readersMax: Number.POSITIVE_INFINITY,
    behind: "skip",
  });

  constructor(events: EventBus) {
    events.subscribe((event) => {
      if (this.#log.size > 0) this.#log.append(encode(event));
    });
  }

  get size(): number {
    return this.#log.size;
  }

  /** A stream of future events. Ends when its reader cancels it, or the engine stops. */
  open(): ReadableStream<Uint8Array> | undefined {
    return this.#log.open(this.#log.last);
  }

  /** Ends all streams, later ones included. */
  close(): void {
    this.#log.close();
  }
}

function encode({ type, timestamp, data }: PublishedEvent): string {
  return `data: ${JSON.stringify({ type, timestamp, data })}\n\n`;
}
