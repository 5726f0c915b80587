import type { OpenWatcher, WatchListener } from "../../../engine/retrieval/watch/watcher.ts";

/** A watcher that a test plays. */
export interface WatcherStub {
  open: OpenWatcher;
  /** Why nothing can be watched; undefined where it can. */
  problem: string | undefined;
  /** The roots that are watched, with their folders. */
  watched: Map<string, readonly string[]>;
  listener(): WatchListener;
}

/** It watches nothing by itself. */
export function createWatcherStub(problem?: string): WatcherStub {
  const watched = new Map<string, readonly string[]>();
  let opened: WatchListener | undefined;
  const stub: WatcherStub = {
    problem,
    watched,
    listener() {
      if (!opened) throw new Error("No engine has opened the watcher.");
      return opened;
    },
    open(listener) {
      opened = listener;
      return {
        async watch({ root, folders }) {
          if (stub.problem === undefined) watched.set(root, folders);
          else watched.delete(root);
          return stub.problem;
        },
        unwatch: (root) => void watched.delete(root),
        close: async () => watched.clear(),
      };
    },
  };
  return stub;
}
