import type { Timers } from "../../shared/clock.ts";
import type { Held, IndexHeartbeat } from "./index/index-heartbeat.ts";
import { INDEX_FILE_MS_MAX, INDEX_STALL_MS_MAX, INDEX_WATCH_INTERVAL_MS } from "./limits.ts";

interface WatchdogOptions {
  timers: Timers;
  /** Of the current thread. */
  heartbeat(): IndexHeartbeat;
  /** One file has blocked the thread for too long. */
  onHang(held: Held): void;
  /** The thread has stopped outside of any file, while it worked for this root. */
  onStall(root: string): void;
}

/** The state at one check, and for how long it has been the same. */
interface Look {
  serial: number | undefined;
  heldMs: number;
  ticks: number;
  silentMs: number;
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
    const { heartbeat, onHang, onStall } = this.#options;
    const { ticks, currentRoot } = heartbeat();
    const held = heartbeat().read();
    const isSame = held !== undefined && held.serial === before?.serial;
    // A thread that is still starting has not ticked.
    const isSilent = ticks > 0 && ticks === before?.ticks;
    const heldMs = isSame ? before.heldMs + INDEX_WATCH_INTERVAL_MS : 0;
    const silentMs = isSilent ? before.silentMs + INDEX_WATCH_INTERVAL_MS : 0;
    const isHung = isSame && heldMs >= INDEX_FILE_MS_MAX;
    const isStalled = !isHung && silentMs >= INDEX_STALL_MS_MAX;
    if (isHung) onHang(held);
    if (isStalled) onStall(currentRoot);
    const seen =
      isHung || isStalled ? undefined : { serial: held?.serial, heldMs, ticks, silentMs };
    this.#cancel = this.#options.timers.after(INDEX_WATCH_INTERVAL_MS, () => this.#look(seen));
  }
}
