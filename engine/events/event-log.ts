import { setImmediate } from "node:timers/promises";
import { utf8 } from "../../shared/bytes.ts";
import type { Timers } from "../../shared/clock.ts";
import { SSE_CHUNK_CHARACTERS, SSE_COMMENT_INTERVAL_MS } from "../limits.ts";
import { EventRing, type RingBounds } from "./event-ring.ts";

interface EventLogOptions extends RingBounds {
  readersMax: number;
  /**
   * A reader that is further behind than what is kept: `drop` ends its stream, so that it resumes by id and learns that it
   * missed events; `skip` continues with the oldest event that is kept.
   */
  behind: "drop" | "skip";
  /** If given, each reader gets comments. A reader that takes no waiting event between two comments is dropped. */
  timers?: Timers;
}

interface Reader {
  controller: ReadableStreamDefaultController<Uint8Array>;
  /** Pieces that it gets before any event, one for each pull; undefined once all are sent. */
  first: Iterator<string> | undefined;
  /** The number of the next event that it gets. */
  next: number;
  /** Whether it waits for more right now. */
  reads: boolean;
  /** Whether its last chunk was not all that waits for it. */
  hasMore: boolean;
  /** The chunks that it got since the last comment; that it was opened counts as one. */
  chunks: number;
}

const COMMENT = utf8(":\n\n");

/**
 * Numbered events and the streams that read them. The log is the queue of every reader: a slow reader costs only its
 * position. What one tick appends is joined and encoded once for all readers that keep up.
 */
export class EventLog {
  readonly #options: EventLogOptions;
  readonly #ring: EventRing;
  readonly #readers = new Set<Reader>();
  /** The number of the first event that was not sent to waiting readers yet. */
  #unsent = 1;
  #ended = false;
  #stopComments: (() => void) | undefined;

  constructor(options: EventLogOptions) {
    this.#options = options;
    this.#ring = new EventRing(options);
  }

  /** The number of the newest event; 0 before the first. */
  get last(): number {
    return this.#ring.last;
  }

  /** The number of the oldest event that is kept. */
  get first(): number {
    return this.#ring.first;
  }

  get size(): number {
    return this.#readers.size;
  }

  /** Whether a reader that has the event of this number can get all events after it. */
  canResume(after: number): boolean {
    return after >= this.#ring.first - 1 && after <= this.last;
  }

  /** Adds an encoded event; it is sent at the end of the tick. Nothing once the log has ended. */
  append(text: string): void {
    if (this.#ended) return;
    if (this.#unsent > this.last) void setImmediate().then(() => this.#send());
    this.#ring.append(text);
  }

  /**
   * A stream of the pieces of `first`, then of all events after the one of this number; undefined if there are too many
   * readers. It ends with the log, or when its reader cancels it.
   */
  open(after: number, first?: Iterator<string>): ReadableStream<Uint8Array> | undefined {
    if (this.#readers.size >= this.#options.readersMax) return undefined;
    let reader: Reader | undefined;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          reader = { controller, first, next: after + 1, reads: false, hasMore: false, chunks: 1 };
          this.#readers.add(reader);
          this.#stopComments ??= this.#commentLater();
        },
        pull: async () => {
          if (!reader) return;
          // What reads a stream does so in microtasks: much that waits for many readers would hold the event loop.
          if (reader.hasMore) await setImmediate();
          if (this.#readers.has(reader)) this.#serve(reader);
        },
        cancel: () => {
          if (reader) this.#remove(reader);
        },
      },
      // Nothing is queued but in the log, which is bounded.
      { highWaterMark: 0 },
    );
  }

  /** No event follows: each reader gets what is left for it, then its stream ends. */
  end(): void {
    if (this.#ended) return;
    this.#send();
    this.#ended = true;
    for (const reader of this.#readers) if (reader.reads) this.#serve(reader);
  }

  /** Ends the log and all its streams at once; the events that are left for a reader that has its first text are its last chunk. */
  close(): void {
    this.end();
    for (const reader of this.#readers) {
      const from = reader.first ? this.#unsent : reader.next;
      const { text } = this.#ring.read(from, this.#unsent, Number.POSITIVE_INFINITY);
      if (text !== "") reader.controller.enqueue(utf8(text));
      this.#finish(reader);
    }
  }

  /** Serves a reader that waits for more; the events of this tick are sent at its end. */
  #serve(reader: Reader): void {
    const chunk = this.#take(reader);
    reader.reads = chunk === "";
    if (!reader.reads) this.#give(reader, utf8(chunk));
    else if (this.#ended) this.#finish(reader);
  }

  #take(reader: Reader): string {
    const piece = reader.first?.next();
    if (piece && !piece.done) return piece.value;
    reader.first = undefined;
    const { text, next } = this.#ring.read(reader.next, this.#unsent, SSE_CHUNK_CHARACTERS);
    reader.next = next;
    return text;
  }

  #give(reader: Reader, chunk: Uint8Array): void {
    reader.reads = false;
    reader.hasMore = reader.first !== undefined || reader.next < this.#unsent;
    reader.chunks += 1;
    reader.controller.enqueue(chunk);
  }

  /** Sends the new events to all waiting readers, trims the log, and drops the readers that are behind. */
  #send(): void {
    const from = this.#unsent;
    if (from > this.last) return;
    this.#unsent = this.last + 1;
    let joined: Uint8Array | undefined;
    for (const reader of this.#readers) {
      if (!reader.reads) continue;
      if (reader.next === from) {
        joined ??= utf8(this.#ring.read(from, this.#unsent, Number.POSITIVE_INFINITY).text);
        reader.next = this.#unsent;
        this.#give(reader, joined);
      } else this.#serve(reader);
    }
    if (this.#options.behind === "skip") {
      this.#ring.trim(Math.min(...[...this.#readers].map(({ next }) => next)));
      return;
    }
    this.#ring.trim(0);
    for (const reader of this.#readers) {
      if (!this.canResume(reader.next - 1)) this.#finish(reader);
    }
  }

  #finish(reader: Reader): void {
    this.#remove(reader);
    reader.controller.close();
  }

  #remove(reader: Reader): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    this.#stopComments?.();
    this.#stopComments = undefined;
  }

  #commentLater(): (() => void) | undefined {
    return this.#options.timers?.after(SSE_COMMENT_INTERVAL_MS, () => {
      this.#stopComments = undefined;
      for (const reader of this.#readers) this.#comment(reader);
      if (this.#readers.size > 0) this.#stopComments = this.#commentLater();
    });
  }

  #comment(reader: Reader): void {
    const isBehind = reader.first !== undefined || reader.next <= this.last;
    if (reader.reads) this.#give(reader, COMMENT);
    else if (isBehind && reader.chunks === 0) this.#finish(reader);
    reader.chunks = 0;
  }
}
