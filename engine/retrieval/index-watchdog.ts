import type { Timers } from "../../shared/clock.ts";
import type { FileInWork, Held } from "./index/file-in-work.ts";
import { INDEX_FILE_MS_MAX, INDEX_STALL_MS_MAX, INDEX_WATCH_INTERVAL_MS } from "./limits.ts";

interface WatchdogOptions {
  timers: Timers;
  /** What the present thread works on. */
  inWork(): FileInWork;
  /** One file has blocked the thread for too long. */
  onHang(held: Held): void;
  /** The thread has stopped outside of any file, while it worked for this root. */
  onStall(root: string): void;
}

/** What was seen at a look, and for how long it has been the same. */
interface Look {
  serial: number | undefined;
  heldMs: number;
  beats: number;
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
    const { inWork, onHang, onStall } = this.#options;
    const { beats, turn } = inWork();
    const held = inWork().read();
    const isSame = held !== undefined && held.serial === before?.serial;
    // A thread that is still starting has not beaten.
    const isSilent = beats > 0 && beats === before?.beats;
    const heldMs = isSame ? before.heldMs + INDEX_WATCH_INTERVAL_MS : 0;
    const silentMs = isSilent ? before.silentMs + INDEX_WATCH_INTERVAL_MS : 0;
    const isHung = isSame && heldMs >= INDEX_FILE_MS_MAX;
    const isStalled = !isHung && silentMs >= INDEX_STALL_MS_MAX;
    if (isHung) onHang(held);
    if (isStalled) onStall(turn);
    const seen =
      isHung || isStalled ? undefined : { serial: held?.serial, heldMs, beats, silentMs };
    this.#cancel = this.#options.timers.after(INDEX_WATCH_INTERVAL_MS, () => this.#look(seen));
  }
}
