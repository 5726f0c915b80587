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
