import { toHex } from "../../shared/bytes.ts";
import type { Timers } from "../../shared/clock.ts";
import { randomBytes } from "../../shared/random.ts";
import { CHANGES_BYTES_MAX, CHANGES_KEPT_MAX, CHANGES_READERS_MAX } from "../limits.ts";
import type { EventBus, PublishedEvent } from "./bus.ts";
import type { Change } from "./change.ts";
import { EventLog } from "./event-log.ts";
import { encodeEvent, toNumber } from "./event-ring.ts";

const BOOT_BYTES = 6;

/**
 * What `GET /changes` sends: every change of what the API shows, with an id after which a client resumes. The id of an
 * event is the process and a number: `<boot>-<n>`. Another process numbers from 1 again.
 */
export class Changes {
  readonly #boot = toHex(randomBytes(BOOT_BYTES));
  readonly #log: EventLog;
  readonly #listeners = new Set<(change: Change) => void>();

  constructor({ events, timers }: { events: EventBus; timers: Timers }) {
    this.#log = new EventLog({
      eventsMax: CHANGES_KEPT_MAX,
      bytesMax: CHANGES_BYTES_MAX,
      readersMax: CHANGES_READERS_MAX,
      behind: "drop",
      timers,
    });
    events.subscribe((event) => {
      const change = toChange(event);
      if (change) this.publish(change);
    });
  }

  /** Publish after the commit: a client that sees a change can read it. */
  publish(change: Change): void {
    this.#log.append(encodeEvent(this.#id(this.#log.last + 1), change.type, change.data));
    for (const listener of this.#listeners) listener(change);
  }

  /**
   * A stream of future changes, and the id of the last event before it; with an id, of those after it. If some of those are
   * missing, the stream starts with `resync`. Undefined if there are too many readers.
   */
  open(lastId: string | undefined) {
    const newest = this.#log.last;
    const after = lastId === undefined ? newest : this.#numberOf(lastId);
    const canResume = this.#log.canResume(after);
    const stream = canResume
      ? this.#log.open(after)
      : this.#log.open(newest, [encodeEvent(this.#id(newest), "resync")].values());
    return stream && { stream, lastId: this.#id(canResume ? after : newest) };
  }

  /** Calls the listener for every change. Listeners neither throw nor wait. Returns a function that ends the subscription. */
  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get size(): number {
    return this.#log.size;
  }

  close(): void {
    this.#log.close();
  }

  #id(number: number): string {
    return `${this.#boot}-${number}`;
  }

  #numberOf(id: string): number {
    return toNumber(id.startsWith(`${this.#boot}-`) ? id.slice(this.#boot.length + 1) : "");
  }
}

/** What every publisher of these events of `GET /stream` would repeat; the others name more than the event does. */
function toChange(event: PublishedEvent): Change | undefined {
  switch (event.type) {
    case "thread.created": {
      const { threadId, workspaceId } = event.data;
      return { type: event.type, data: { threadUuid: threadId, workspaceUuid: workspaceId } };
    }
    case "message.created": {
      const { messageId, threadId, role } = event.data;
      return { type: event.type, data: { messageUuid: messageId, threadUuid: threadId, role } };
    }
    default:
      return undefined;
  }
}
