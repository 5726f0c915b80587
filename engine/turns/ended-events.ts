import type { EngineDeps } from "../deps.ts";
import { TURN_EVENTS_ENDED_BYTES_MAX, TURN_EVENTS_KEPT_MS } from "../limits.ts";
import type { TurnEvents } from "./turn-events.ts";

interface Ended {
  events: TurnEvents;
  endedAtMs: number;
  bytes: number;
}

/** The events of turns that have ended, for clients that resume: for some minutes, and within a bound for all of them. */
export class EndedEvents {
  readonly #deps: Pick<EngineDeps, "clock" | "timers">;
  /** The oldest first. */
  readonly #ended = new Map<string, Ended>();
  #bytes = 0;
  #stopTimer: (() => void) | undefined;

  constructor(deps: Pick<EngineDeps, "clock" | "timers">) {
    this.#deps = deps;
  }

  find(turnUuid: string): TurnEvents | undefined {
    return this.#ended.get(turnUuid)?.events;
  }

  keep(turnUuid: string, events: TurnEvents): void {
    const { bytes } = events;
    this.#ended.set(turnUuid, { events, endedAtMs: this.#deps.clock.now(), bytes });
    this.#bytes += bytes;
    this.#forget();
  }

  /** Ends all streams at once. */
  close(): void {
    this.#stopTimer?.();
    for (const { events } of this.#ended.values()) events.close();
    this.#ended.clear();
    this.#bytes = 0;
  }

  #forget(): void {
    const now = this.#deps.clock.now();
    for (const [uuid, { events, endedAtMs, bytes }] of this.#ended) {
      const isOver = now - endedAtMs >= TURN_EVENTS_KEPT_MS;
      if (!isOver && this.#bytes <= TURN_EVENTS_ENDED_BYTES_MAX) break;
      this.#ended.delete(uuid);
      this.#bytes -= bytes;
      // A reader that is still behind resumes from the record.
      events.close();
    }
    const [oldest] = this.#ended.values();
    if (!oldest || this.#stopTimer) return;
    this.#stopTimer = this.#deps.timers.after(oldest.endedAtMs + TURN_EVENTS_KEPT_MS - now, () => {
      this.#stopTimer = undefined;
      this.#forget();
    });
  }
}
