import { setImmediate } from "node:timers/promises";
import type { z } from "zod";
import { utf8 } from "../../shared/bytes.ts";
import type { Timers } from "../../shared/clock.ts";
import type { GraphActivity } from "../events/event.ts";
import { EventLog } from "../events/event-log.ts";
import { encodeEvent, toNumber } from "../events/event-ring.ts";
import { toStream } from "../http/event-stream.ts";
import {
  TEXT_BLOCK_CHARACTERS,
  TURN_EVENTS_BYTES_MAX,
  TURN_EVENTS_MAX,
  TURN_READERS_MAX,
} from "./limits.ts";
import type { TurnEventData } from "./turn-event.ts";
import type { Turn, TurnState } from "./wire.ts";

const BOUNDS = { eventsMax: TURN_EVENTS_MAX, bytesMax: TURN_EVENTS_BYTES_MAX };

/**
 * The events of one turn, and the streams that read them. A reader that missed events gets a `snapshot` first: the text up to
 * the oldest event that is kept.
 */
export class TurnEvents {
  readonly #log: EventLog;
  /** How long the text was after each event that is kept, and after the last one before those. */
  readonly #lengths: Map<number, number>;
  #text: string;
  #state: TurnState = "running";
  #bytes = 0;

  /** `text` is what was streamed before. */
  constructor(timers: Timers, text = "", bounds = BOUNDS) {
    this.#text = text;
    this.#lengths = new Map([[0, text.length]]);
    this.#log = new EventLog({ ...bounds, readersMax: TURN_READERS_MAX, behind: "drop", timers });
  }

  /** About how much memory they take. */
  get bytes(): number {
    return Math.min(this.#bytes, TURN_EVENTS_BYTES_MAX) + this.#text.length;
  }

  /** `delta` is what the text of the turn gains. */
  appendActivity(activity: z.infer<typeof GraphActivity>, delta = ""): void {
    this.#append(activity.type, activity, delta);
  }

  append<Type extends keyof TurnEventData>(type: Type, data: TurnEventData[Type]): void {
    this.#append(type, data);
  }

  /** For snapshots from now on. */
  changed({ state }: Turn): void {
    this.#state = state;
  }

  /** The last event. Readers get what is left for them. */
  end(turn: Turn): void {
    this.changed(turn);
    this.append("end", turn);
    this.#log.end();
  }

  /**
   * A stream of all events after the one with this id, or of all that are kept; undefined if there are too many
   * readers.
   */
  open(lastId: string | undefined): ReadableStream<Uint8Array> | undefined {
    const after = lastId === undefined ? 0 : toNumber(lastId);
    const holdsAll = lastId !== undefined || this.#lengths.get(0) === 0;
    if (holdsAll && this.#log.canResume(after)) return this.#log.open(after);
    const id = this.#log.first - 1;
    const text = this.#text.slice(0, this.#lengths.get(id));
    return this.#log.open(id, snapshotPieces(String(id), text, this.#state));
  }

  close(): void {
    this.#log.close();
  }

  #append(type: string, data: object, delta = ""): void {
    const text = encodeEvent(String(this.#log.last + 1), type, data);
    this.#log.append(text);
    this.#bytes += text.length;
    this.#text += delta;
    this.#lengths.set(this.#log.last, this.#text.length);
    for (const number of this.#lengths.keys()) {
      if (number >= this.#log.first - 1) break;
      this.#lengths.delete(number);
    }
  }
}

/** A stream of the events of a turn of which only the record is left. */
export function endedTurnEvents(turn: Turn, text: string): ReadableStream<Uint8Array> {
  return toStream(endedPieces(turn, text));
}

async function* endedPieces(turn: Turn, text: string): AsyncGenerator<Uint8Array> {
  for (const piece of snapshotPieces("1", text, turn.state)) {
    // Many readers of a long text would hold the event loop.
    await setImmediate();
    yield utf8(piece);
  }
  yield utf8(encodeEvent("2", "end", turn));
}

/** The event `snapshot`: a text may be long, and its JSON six times as long, so no more of it is made than a reader takes. */
function* snapshotPieces(id: string, text: string, state: TurnState): Generator<string, void> {
  const empty: TurnEventData["snapshot"] = { text: "", state };
  const [before = "", after = ""] = encodeEvent(id, "snapshot", empty).split('""', 2);
  yield `${before}"`;
  for (let at = 0; at < text.length; at += TEXT_BLOCK_CHARACTERS) {
    yield JSON.stringify(text.slice(at, at + TEXT_BLOCK_CHARACTERS)).slice(1, -1);
  }
  yield `"${after}`;
}
