import { type Clock, toIsoTime } from "../../shared/clock.ts";
import type { EngineEvent } from "./event.ts";

/** An event, and when it was published. */
export type PublishedEvent = EngineEvent & { timestamp: string };

/** A function that gets every event, in the order of publishing. It must neither throw nor wait. */
type Subscriber = (event: PublishedEvent) => void;

/** Carries events within the process (Engine §6). */
export class EventBus {
  readonly #clock: Clock;
  readonly #subscribers = new Set<Subscriber>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Publish after the commit: a client that sees an event can read its rows. */
  publish(event: EngineEvent): void {
    if (this.#subscribers.size === 0) return;
    const published = { ...event, timestamp: toIsoTime(this.#clock.now()) };
    for (const subscriber of this.#subscribers) subscriber(published);
  }

  /** Future events only. Returns what ends the subscription. */
  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }
}
