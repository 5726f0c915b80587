import type { EngineDeps } from "../deps.ts";
import { isDeletionOf } from "../events/change.ts";
import { TURN_EVENTS_ENDED_BYTES_MAX, TURN_EVENTS_KEPT_MS } from "./limits.ts";
import type { TurnEvents } from "./turn-events.ts";
import type { Turn } from "./wire.ts";

type EventDeps = Pick<EngineDeps, "clock" | "timers" | "changes">;

interface Ended {
  turn: Turn;
  events: TurnEvents;
  endedAtMs: number;
  bytes: number;
}

/** The events of turns that have ended, for clients that resume: for some minutes, and within a bound for all of them. */
export class EndedEvents {
  readonly #deps: EventDeps;
  /** The oldest first. */
  readonly #ended = new Map<string, Ended>();
  #bytes = 0;
  #stopTimer: (() => void) | undefined;

  constructor(deps: EventDeps) {
    this.#deps = deps;
    deps.changes.subscribe((change) => {
      for (const [uuid, { turn }] of this.#ended) if (isDeletionOf(change, turn)) this.#drop(uuid);
    });
  }

  find(turnUuid: string): TurnEvents | undefined {
    return this.#ended.get(turnUuid)?.events;
  }

  keep(turn: Turn, events: TurnEvents): void {
    const { bytes } = events;
    this.#ended.set(turn.uuid, { turn, events, endedAtMs: this.#deps.clock.now(), bytes });
    this.#bytes += bytes;
    this.#forget();
  }

  close(): void {
    this.#stopTimer?.();
    for (const { events } of this.#ended.values()) events.close();
    this.#ended.clear();
    this.#bytes = 0;
  }

  #drop(uuid: string): void {
    const ended = this.#ended.get(uuid);
    if (!ended) return;
    this.#ended.delete(uuid);
    this.#bytes -= ended.bytes;
    // A reader that is still behind resumes from the record.
    ended.events.close();
  }

  #forget(): void {
    const now = this.#deps.clock.now();
    for (const [uuid, { endedAtMs }] of this.#ended) {
      const isOver = now - endedAtMs >= TURN_EVENTS_KEPT_MS;
      if (!isOver && this.#bytes <= TURN_EVENTS_ENDED_BYTES_MAX) break;
      this.#drop(uuid);
    }
    const [oldest] = this.#ended.values();
    if (!oldest || this.#stopTimer) return;
    this.#stopTimer = this.#deps.timers.after(oldest.endedAtMs + TURN_EVENTS_KEPT_MS - now, () => {
      this.#stopTimer = undefined;
      this.#forget();
    });
  }
}
