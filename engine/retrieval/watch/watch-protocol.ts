import type { FolderChanges, WatchAsk } from "./watcher.ts";

/** From the engine to the thread that watches. */
export type ToWatchThread =
  | { type: "watch"; id: number; ask: WatchAsk }
  | { type: "unwatch"; root: string };

/** From the thread that watches to the engine. */
export type FromWatchThread =
  | { type: "watched"; id: number; problem: string | undefined }
  | { type: "changed"; root: string; changes: FolderChanges }
  | { type: "lost"; root: string; problem: string };
