import { concatBytes } from "../../shared/bytes.ts";
import type { EventBus } from "../events/bus.ts";
import { SSE_QUEUE_EVENTS_MAX } from "../limits.ts";

interface Subscriber {
  controller: ReadableStreamDefaultController<Uint8Array>;
  /** The queue: the newest events, at most 100 (Engine §6, server-sent events 4). */
  waiting: Uint8Array[];
  /** Whether the reader asks for more now. */
  reads: boolean;
}

/**
 * The open event streams. The events of one tick are joined once and sent to all readers as the same bytes. A slow
 * reader fills its own queue and delays no other.
 */
export class EventStreams {
  readonly #events: EventBus;
  readonly #subscribers = new Set<Subscriber>();
  #unsubscribe: (() => void) | undefined;
  #published: Uint8Array[] = [];
  #closed = false;

  constructor(events: EventBus) {
    this.#events = events;
  }

  /** The number of open streams. */
  get size(): number {
    return this.#subscribers.size;
  }

  /** A stream of future events. Ends when its reader cancels it, or the engine stops. */
  open(): ReadableStream<Uint8Array> {
    let subscriber: Subscriber | undefined;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          if (this.#closed) controller.close();
          else subscriber = this.#add(controller);
        },
        pull: () => {
          if (subscriber) deliver(subscriber);
        },
        cancel: () => {
          if (subscriber) this.#remove(subscriber);
        },
      },
      // Events queue in `waiting` alone, where the oldest can be dropped.
      { highWaterMark: 0 },
    );
  }

  /** Ends all streams, later ones included. */
  close(): void {
    this.#closed = true;
    this.#flush();
    for (const subscriber of this.#subscribers) {
      this.#remove(subscriber);
      if (subscriber.waiting.length > 0) deliver(subscriber);
      subscriber.controller.close();
    }
  }

  #add(controller: Subscriber["controller"]): Subscriber {
    // Earlier events belong to the other streams.
    this.#flush();
    const subscriber = { controller, waiting: [], reads: false };
    this.#subscribers.add(subscriber);
    this.#unsubscribe ??= this.#events.subscribe((item) => this.#take(item));
    return subscriber;
  }

  #remove(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    if (this.#subscribers.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  #take(item: Uint8Array): void {
    if (this.#published.length === 0) setImmediate(() => this.#flush());
    this.#published.push(item);
  }

  #flush(): void {
    const items = this.#published;
    if (items.length === 0) return;
    this.#published = [];
    const joined = concatBytes(...items);
    for (const subscriber of this.#subscribers) {
      if (subscriber.reads && subscriber.waiting.length === 0) {
        subscriber.reads = false;
        subscriber.controller.enqueue(joined);
      } else {
        keepNewest(subscriber, items);
      }
    }
  }
}

function keepNewest(subscriber: Subscriber, items: readonly Uint8Array[]): void {
  subscriber.waiting.push(...items);
  const excess = subscriber.waiting.length - SSE_QUEUE_EVENTS_MAX;
  if (excess > 0) subscriber.waiting.splice(0, excess);
}

function deliver(subscriber: Subscriber): void {
  subscriber.reads = subscriber.waiting.length === 0;
  if (!subscriber.reads)
    subscriber.controller.enqueue(concatBytes(...subscriber.waiting.splice(0)));
}
