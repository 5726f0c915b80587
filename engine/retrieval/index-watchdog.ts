import type { Timers } from "../../shared/timers.ts";
import { INDEX_FILE_MS_MAX, INDEX_WATCH_INTERVAL_MS } from "../limits.ts";
import type { Held } from "./index/file-in-work.ts";

/** Detects a file that blocks the indexing thread for too long. Checks at an interval while a run is active. */
export class IndexWatchdog {
  readonly #timers: Timers;
  readonly #read: () => Held | undefined;
  readonly #onHang: (held: Held) => void;
  #cancel: (() => void) | undefined;

  constructor(timers: Timers, read: () => Held | undefined, onHang: (held: Held) => void) {
    this.#timers = timers;
    this.#read = read;
    this.#onHang = onHang;
  }

  start(): void {
    this.#cancel?.();
    this.#look(undefined, 0);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #look(before: number | undefined, heldMs: number): void {
    const held = this.#read();
    const isSame = held !== undefined && held.serial === before;
    if (isSame && heldMs >= INDEX_FILE_MS_MAX) {
      this.#onHang(held);
      this.#again(undefined, 0);
      return;
    }
    this.#again(held?.serial, isSame ? heldMs : 0);
  }

  #again(serial: number | undefined, heldMs: number): void {
    const next = heldMs + INDEX_WATCH_INTERVAL_MS;
    this.#cancel = this.#timers.after(INDEX_WATCH_INTERVAL_MS, () => this.#look(serial, next));
  }
}
