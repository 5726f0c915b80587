import { systemErrorCode } from "../../../shared/system-error.ts";
import { WATCHED_FOLDERS_MAX, WATCHED_ROOTS_MAX } from "../limits.ts";

/** Changes below a root, as far as they are known. */
export interface FolderChanges {
  /** Relative to the root, with `/`; what is there now is not known. */
  paths: readonly string[];
  /** Whether there were more. */
  isMore: boolean;
}

/** The folders of a root that are watched. */
export interface WatchRequest {
  /** The path of the root. */
  root: string;
  /** Relative to the root; each ends in `/`, the root is empty. */
  folders: readonly string[];
  /** A folder that changed after this is reported as a change if it was not watched before. */
  sinceMs: number;
}

/** Reports changes in folders. No link is followed. */
export interface Watcher {
  /**
   * Watches these folders of a root and no others. Returns why it cannot, as a sentence, or undefined; then none of them is
   * watched.
   */
  watch(request: WatchRequest): Promise<string | undefined>;
  unwatch(root: string): void;
  close(): Promise<void>;
}

/** Receives what a watcher reports. */
export interface WatchListener {
  onChanges(root: string, changes: FolderChanges): void;
  /** The root is not watched any more, for this reason. */
  onWatchLost(root: string, problem: string): void;
}

/** Opens a watcher. */
export type OpenWatcher = (listener: WatchListener) => Watcher;

export const UNREPORTED =
  "The folder is on a network or user-space file system, which does not report every change.";

/** Created when it is first needed: the first number with separators costs 20 ms and 6 MiB, and every start loads this file. */
export function describeTooManyFolders(): string {
  return `The watched roots have more than ${WATCHED_FOLDERS_MAX.toLocaleString("en")} folders together.`;
}

export const TOO_MANY_ROOTS = `At most ${WATCHED_ROOTS_MAX} roots are watched; this one is not.`;

export const WATCH_THREAD_LOST = "The thread that watched the folder ended.";

/** Why the system does not watch a folder, as a sentence. */
export function describeWatchFailure(error: unknown): string {
  const code = systemErrorCode(error);
  if (code === "ENOSPC") {
    return "The system's limit of watched folders is reached (fs.inotify.max_user_watches).";
  }
  if (code === "EMFILE" || code === "ENFILE") {
    return "The system's limit of watchers is reached (fs.inotify.max_user_instances).";
  }
  return `The system cannot watch the folder: ${code === "" ? "unknown failure" : code}.`;
}
