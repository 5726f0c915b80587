import { setImmediate as nextTick } from "node:timers/promises";
import { invalid } from "../errors.ts";
import { WholeCodePoints } from "../models/whole-code-points.ts";
import {
  DELTAS_PER_TICK_MAX,
  JOINED_DELTA_CHARACTERS,
  TURN_TEXT_CHARACTERS_MAX,
} from "./limits.ts";

interface DeltaTarget {
  emit(delta: string): void;
  /** See `Peer.caughtUp`. */
  caughtUp(): Promise<void> | undefined;
}

/**
 * Forwards a model's text. Each piece is sent at once, unless many arrive in one tick or the reader is behind: then
 * they are joined. Never reordered, never cut inside a character.
 */
export class DeltaStream {
  readonly #target: DeltaTarget;
  readonly #codePoints = new WholeCodePoints();
  #held = "";
  #sentThisTick = 0;
  #wakes = false;
  #open = true;
  #text = "";

  constructor(target: DeltaTarget) {
    this.#target = target;
  }

  /** All text sent so far. */
  get text(): string {
    return this.#text;
  }

  /**
   * Returns a promise to await before reading more from the model, or undefined.
   * @throws EngineError `invalid` if the text of the turn exceeds its limit.
   */
  push(piece: string): Promise<void> | undefined {
    this.#held += this.#codePoints.push(piece);
    if (this.#text.length + this.#held.length > TURN_TEXT_CHARACTERS_MAX) {
      throw invalid("The model wrote more than a message can hold.");
    }
    if (this.#sentThisTick < DELTAS_PER_TICK_MAX && !this.#target.caughtUp()) {
      this.#emit();
      this.#wakeNextTick();
      return undefined;
    }
    this.#wakeNextTick();
    return this.#held.length >= JOINED_DELTA_CHARACTERS ? this.#catchUp() : undefined;
  }

  /** Ends a model step: sends the held text once the reader has caught up. */
  async flush(): Promise<void> {
    this.#held += this.#codePoints.flush();
    while (this.#held !== "") {
      const behind = this.#target.caughtUp();
      if (behind) await behind;
      else this.#emit();
    }
  }

  /** From now on nothing is sent. */
  close(): void {
    this.#open = false;
  }

  #emit(): void {
    const delta = this.#held;
    this.#held = "";
    if (delta === "" || !this.#open) return;
    this.#text += delta;
    this.#sentThisTick += 1;
    this.#target.emit(delta);
  }

  async #catchUp(): Promise<void> {
    await (this.#target.caughtUp() ?? nextTick());
    this.#emit();
  }

  #wakeNextTick(): void {
    if (this.#wakes) return;
    this.#wakes = true;
    setImmediate(() => this.#wake());
  }

  #wake(): void {
    this.#wakes = false;
    // With a backlog, the next tick sends one piece at once and joins the others.
    this.#sentThisTick = this.#held === "" ? 0 : DELTAS_PER_TICK_MAX - 1;
    if (this.#held === "" || !this.#open) return;
    const behind = this.#target.caughtUp();
    if (behind) void behind.then(() => this.#wakeNextTick());
    else this.#emit();
  }
}
