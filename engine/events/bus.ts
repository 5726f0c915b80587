import { utf8 } from "../../shared/bytes.ts";
import { type Clock, toIsoTime } from "../../shared/clock.ts";
import type { EngineEvent } from "./event.ts";

/** Called in the order of publishing; must neither throw nor wait. */
export type Subscriber = (item: Uint8Array) => void;

/** Delivers events to the streams. Each is encoded once for all of them (Engine §6). */
export class EventBus {
  readonly #clock: Clock;
  readonly #subscribers = new Set<Subscriber>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Publish after the commit: a client that sees an event can read its rows. */
  publish(event: EngineEvent): void {
    if (this.#subscribers.size === 0) return;
    const timestamp = toIsoTime(this.#clock.now());
    const item = utf8(
      `data: ${JSON.stringify({ type: event.type, timestamp, data: event.data })}\n\n`,
    );
    for (const subscriber of this.#subscribers) subscriber(item);
  }

  /** Future events only. Returns a function that ends the subscription. */
  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }
}
