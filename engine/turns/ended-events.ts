import type { Timers } from "../../shared/clock.ts";
import type { EngineDeps } from "../deps.ts";
import { isDeletionOf } from "../events/change.ts";
import { TURN_EVENTS_ENDED_BYTES_MAX, TURN_EVENTS_KEPT_MS } from "./limits.ts";
import type { TurnEvents } from "./turn-events.ts";
import type { Turn } from "./wire.ts";

interface Ended {
  turn: Turn;
  events: TurnEvents;
  stopTimer: () => void;
}

/** The events of turns that have ended, for clients that resume: for some minutes, and within a bound for all of them. */
export class EndedEvents {
  readonly #timers: Timers;
  /** The oldest first. */
  readonly #ended = new Map<string, Ended>();
  #bytes = 0;

  constructor({ timers, changes }: Pick<EngineDeps, "timers" | "changes">) {
    this.#timers = timers;
    changes.subscribe((change) => {
      for (const { turn } of this.#ended.values()) {
        if (isDeletionOf(change, turn)) this.#drop(turn.uuid);
      }
    });
  }

  find(turnUuid: string): TurnEvents | undefined {
    return this.#ended.get(turnUuid)?.events;
  }

  keep(turn: Turn, events: TurnEvents): void {
    const stopTimer = this.#timers.after(TURN_EVENTS_KEPT_MS, () => this.#drop(turn.uuid));
    this.#ended.set(turn.uuid, { turn, events, stopTimer });
    this.#bytes += events.bytes;
    for (const uuid of this.#ended.keys()) {
      if (this.#bytes <= TURN_EVENTS_ENDED_BYTES_MAX) break;
      this.#drop(uuid);
    }
  }

  close(): void {
    for (const uuid of this.#ended.keys()) this.#drop(uuid);
  }

  #drop(uuid: string): void {
    const ended = this.#ended.get(uuid);
    if (!ended) return;
    this.#ended.delete(uuid);
    this.#bytes -= ended.events.bytes;
    ended.stopTimer();
    // A reader that is still behind resumes from the record.
    ended.events.close();
  }
}
