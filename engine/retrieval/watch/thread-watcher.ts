import { Thread, threadProgram } from "../thread.ts";
import type { FolderWatches, WatchListener, WatchRequest } from "./folder-watches.ts";

const LOST = "The thread that watched the folder ended.";

type WatchCalls = Pick<FolderWatches, "watch" | "unwatch">;

/** Watches folders as `FolderWatches` does. */
export type Watcher = Pick<ThreadWatcher, keyof ThreadWatcher>;

/** Opens a watcher. */
export type OpenWatcher = (listener: WatchListener) => Watcher;

/** A watcher in a thread that starts with the first root and ends with the last. */
export function openThreadWatcher(listener: WatchListener): ThreadWatcher {
  return new ThreadWatcher(listener);
}

class ThreadWatcher {
  readonly #listener: WatchListener;
  readonly #roots = new Set<string>();
  #thread: Thread<WatchCalls> | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(listener: WatchListener) {
    this.#listener = listener;
  }

  async watch(request: WatchRequest): Promise<string | undefined> {
    this.#roots.add(request.root);
    this.#thread ??= this.#start();
    try {
      return await this.#thread.calls.watch(request);
    } catch {
      return LOST;
    }
  }

  unwatch(root: string): void {
    if (!this.#roots.delete(root)) return;
    void this.#thread?.calls.unwatch.asEvent(root);
    if (this.#roots.size === 0) void this.close();
  }

  /** Ends the thread, and with it every watch. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    this.#roots.clear();
    if (thread) this.#ended = thread.terminate(new Error("The watcher was closed."));
    await this.#ended;
  }

  #start(): Thread<WatchCalls> {
    const own: WatchListener = {
      onChanges: (root, changes) => {
        if (this.#roots.has(root)) this.#listener.onChanges(root, changes);
      },
      onWatchLost: (root, problem) => {
        if (this.#roots.has(root)) this.#listener.onWatchLost(root, problem);
      },
    };
    return new Thread(threadProgram("watch-thread", import.meta.url), own, {
      onEnd: () => {
        this.#thread = undefined;
        const lost = [...this.#roots];
        this.#roots.clear();
        for (const root of lost) this.#listener.onWatchLost(root, LOST);
      },
    });
  }
}
