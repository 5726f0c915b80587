import { type FSWatcher, realpathSync, statfsSync, statSync, watch } from "node:fs";
import { systemErrorCode } from "../../../shared/system-error.ts";
import { identityKey } from "../../files/folder.ts";
import { useFolder } from "../../files/within-sync.ts";
import { WATCH_BATCH_MS, WATCH_PATHS_MAX, WATCHED_FOLDERS_MAX } from "../limits.ts";

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

/** Receives what is seen in the folders. */
export interface WatchListener {
  onChanges(root: string, changes: FolderChanges): void;
  /** The root is not watched any more, for this reason. */
  onWatchLost(root: string, problem: string): void;
}

interface FolderWatch {
  watcher: FSWatcher;
  /** Another folder at the same path has another one. */
  identity: string;
}

interface RootWatch {
  /** By the path of the folder. */
  folders: Map<string, FolderWatch>;
  changed: Set<string>;
  isMore: boolean;
  timer: NodeJS.Timeout | undefined;
}

// Elsewhere a recursive watch holds a watch for each file, and more than one bug.
const WATCHES_BELOW = process.platform === "darwin" || process.platform === "win32";

/** File systems of Linux that are changed by others than this machine, by their numbers (statfs(2)). */
const UNREPORTED_SYSTEMS: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x5346414f, 0x00c36400, 0x65735546,
  0x73757245, 0x786f4256, 0x0bd00bd0,
]);

const UNREPORTED =
  "The folder is on a network or user-space file system, which does not report every change.";
const TOO_MANY_FOLDERS = `The watched roots have more than ${WATCHED_FOLDERS_MAX.toLocaleString("en")} folders together.`;

/**
 * The watched folders of all roots: one watch for each folder, or one for the root where the system watches what is below. No link
 * is followed.
 */
export class FolderWatches {
  readonly #listener: WatchListener;
  readonly #roots = new Map<string, RootWatch>();

  constructor(listener: WatchListener) {
    this.#listener = listener;
  }

  /**
   * Watches these folders of a root and no others. Returns why it cannot, as a sentence, or undefined; then none of them is
   * watched.
   */
  watch(request: WatchRequest): string | undefined {
    try {
      const problem = this.#update(request);
      if (problem !== undefined) this.unwatch(request.root);
      return problem;
    } catch (error) {
      this.unwatch(request.root);
      return describeWatchFailure(error);
    }
  }

  unwatch(root: string): void {
    const known = this.#roots.get(root);
    if (!known) return;
    this.#roots.delete(root);
    clearTimeout(known.timer);
    for (const { watcher } of known.folders.values()) watcher.close();
  }

  #update({ root, folders, sinceMs }: WatchRequest): string | undefined {
    const realRoot = realpathSync.native(root);
    if (isUnreported(realRoot)) return UNREPORTED;
    const known = this.#roots.get(root) ?? createRootWatch();
    this.#roots.set(root, known);
    const wanted = WATCHES_BELOW ? [""] : folders;
    const others = [...this.#roots.values()].filter((other) => other !== known);
    const count = others.reduce((sum, other) => sum + other.folders.size, wanted.length);
    if (count > WATCHED_FOLDERS_MAX) return TOO_MANY_FOLDERS;
    const before = new Map(known.folders);
    known.folders.clear();
    // The old watches end last: a moved folder keeps its own while it gets another path.
    try {
      for (const folder of wanted) {
        const kept = before.get(folder);
        const now = this.#watchFolder({ root, realRoot, folder, kept });
        if (!now) continue;
        known.folders.set(folder, now.watch);
        if (now.watch === kept) before.delete(folder);
        else if (now.changedMs >= sinceMs) this.#note(root, folder === "" ? null : folder);
      }
    } finally {
      for (const { watcher } of before.values()) watcher.close();
    }
    return undefined;
  }

  /** Undefined if the path is no folder of the root any more. */
  #watchFolder(place: {
    root: string;
    realRoot: string;
    folder: string;
    kept: FolderWatch | undefined;
  }): { watch: FolderWatch; changedMs: number } | undefined {
    const { root, realRoot, folder, kept } = place;
    return useFolder(realRoot, folder, (address) => {
      const stats = statSync(address, { bigint: true });
      const identity = identityKey(stats);
      if (kept?.identity === identity) return { watch: kept, changedMs: 0 };
      const watcher = watch(address, { recursive: WATCHES_BELOW, persistent: false });
      watcher.on("change", (_, name) => this.#note(root, name === null ? null : folder + name));
      watcher.on("error", (error) => this.#reportLost(root, error));
      // After the watch began.
      const { mtimeMs } = statSync(address);
      return { watch: { watcher, identity }, changedMs: mtimeMs };
    });
  }

  #note(root: string, path: string | null): void {
    const known = this.#roots.get(root);
    if (!known) return;
    if (path === null || known.changed.size >= WATCH_PATHS_MAX) known.isMore = true;
    else known.changed.add(path.replaceAll("\\", "/"));
    known.timer ??= setTimeout(() => this.#report(root, known), WATCH_BATCH_MS);
  }

  #report(root: string, known: RootWatch): void {
    const changes = { paths: [...known.changed], isMore: known.isMore };
    Object.assign(known, { changed: new Set(), isMore: false, timer: undefined });
    this.#listener.onChanges(root, changes);
  }

  #reportLost(root: string, error: unknown): void {
    if (!this.#roots.has(root)) return;
    this.unwatch(root);
    this.#listener.onWatchLost(root, describeWatchFailure(error));
  }
}

function createRootWatch(): RootWatch {
  return { folders: new Map(), changed: new Set(), isMore: false, timer: undefined };
}

function isUnreported(path: string): boolean {
  return process.platform === "linux" && UNREPORTED_SYSTEMS.has(statfsSync(path).type);
}

/** Why the system does not watch a folder, as a sentence. @internal for tests */
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
