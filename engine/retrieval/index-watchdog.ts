import type { Timers } from "../../shared/clock.ts";
import type { Held, IndexHeartbeat } from "./index/index-heartbeat.ts";
import { INDEX_FILE_MS_MAX, INDEX_WATCH_INTERVAL_MS } from "./limits.ts";

interface WatchdogOptions {
  timers: Timers;
  /** Of the current thread. */
  heartbeat(): IndexHeartbeat;
  /** One file has blocked the thread for too long. */
  onHang(held: Held): void;
}

/** The file at one check, and for how long it has been the same. */
interface Look {
  serial: number;
  heldMs: number;
}

/** Detects what blocks the indexing thread for too long. Checks at an interval while a run is active. */
export class IndexWatchdog {
  readonly #options: WatchdogOptions;
  #cancel: (() => void) | undefined;

  constructor(options: WatchdogOptions) {
    this.#options = options;
  }

  start(): void {
    this.#cancel?.();
    this.#look(undefined);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #look(before: Look | undefined): void {
    const { heartbeat, onHang } = this.#options;
    const held = heartbeat().read();
    const isSame = held !== undefined && held.serial === before?.serial;
    const heldMs = isSame ? before.heldMs + INDEX_WATCH_INTERVAL_MS : 0;
    const isHung = heldMs >= INDEX_FILE_MS_MAX;
    if (held && isHung) onHang(held);
    const seen = held && !isHung ? { serial: held.serial, heldMs } : undefined;
    this.#cancel = this.#options.timers.after(INDEX_WATCH_INTERVAL_MS, () => this.#look(seen));
  }
}
