import { lstat } from "node:fs/promises";
import type { EngineDeps } from "../../deps.ts";
import { EngineError } from "../../errors.ts";
import { identityKey } from "../../files/folder.ts";
import { ENGINE_FOLDER } from "../../files/skipped-folders.ts";
import type { Semaphore } from "../../semaphore.ts";
import { isGeneratedFile, isSkippedFolder } from "../ignored.ts";
import { WATCH_LOOK_MS, WATCH_WALK_MS } from "../limits.ts";
import type { OnFolders } from "../retrieval.ts";
import type { FolderChanges } from "./folder-watches.ts";
import { WatchSchedule } from "./schedule.ts";
import type { Watcher } from "./thread-watcher.ts";

/** An index run; calls `onFolders` before the first file is read, and waits for it. */
export type RunIndex = (onFolders: OnFolders, signal: AbortSignal) => Promise<unknown>;

interface WatchedRootDeps extends Pick<EngineDeps, "clock" | "timers" | "log"> {
  watcher: Watcher;
  runs: Semaphore;
}

/** Keeps the index of one root up to date with its files. */
export class WatchedRoot {
  readonly #deps: WatchedRootDeps;
  readonly #path: string;
  readonly #run: RunIndex;
  readonly #stopped = new AbortController();
  readonly #schedule = new WatchSchedule();
  #identity: string | undefined;
  #problem: string | undefined;
  #failure: string | undefined;
  /** When the root is walked although no change was reported. */
  #walkAtMs = Number.POSITIVE_INFINITY;
  #cancelRun: (() => void) | undefined;
  #cancelLook: (() => void) | undefined;
  #running: Promise<void> | undefined;

  constructor(deps: WatchedRootDeps, path: string, run: RunIndex) {
    this.#deps = deps;
    this.#path = path;
    this.#run = run;
  }

  /** Why changes are not seen as they happen, or why the last run failed; undefined if neither is so. */
  get problem(): string | undefined {
    return this.#problem ?? this.#failure;
  }

  /** Brings the index up to date, and keeps it so. */
  start(): void {
    this.#look();
  }

  /** Ends a run that is on, and everything that waits. */
  async stop(): Promise<void> {
    this.#stopped.abort(new Error("The root is not watched any more."));
    this.#cancelRun?.();
    this.#cancelLook?.();
    this.#deps.watcher.unwatch(this.#path);
    await this.#running;
  }

  /** Schedules an update for changes that the watcher reports. */
  onChanges({ paths, isMore }: FolderChanges): void {
    if (!isMore && paths.every(isLeftOut)) return;
    this.#schedule.change(this.#deps.clock.now());
    this.#arm();
  }

  /** Walks the root from time to time, as it cannot be watched, or not any more; each walk tries to watch it again. */
  fallBack(problem: string): void {
    if (problem !== this.#problem) {
      const { log } = this.#deps;
      log.warn(
        { root: this.#path, problem },
        "A root cannot be watched; it is walked every 5 minutes.",
      );
    }
    this.#problem = problem;
    this.#walkAtMs = this.#deps.clock.now() + WATCH_WALK_MS;
  }

  #arm(): void {
    this.#cancelRun?.();
    this.#cancelRun = undefined;
    const { dueMs } = this.#schedule;
    if (dueMs === undefined || this.#stopped.signal.aborted) return;
    const { clock, timers } = this.#deps;
    const update = () => {
      this.#running = this.#update();
    };
    const delayMs = dueMs - clock.now();
    if (delayMs <= 0) update();
    else this.#cancelRun = timers.after(delayMs, update);
  }

  // No watch reports that a root was replaced, or that it is there at last.
  #look(): void {
    const look = async () => {
      const identity = await identityOf(this.#path);
      if (this.#stopped.signal.aborted) return;
      const isOther = identity !== this.#identity;
      if (isOther) this.#deps.watcher.unwatch(this.#path);
      this.#identity = identity;
      const isDue = this.#deps.clock.now() >= this.#walkAtMs;
      if (identity !== undefined && (isOther || isDue)) {
        this.#schedule.demand();
        this.#arm();
      }
      this.#cancelLook = this.#deps.timers.after(WATCH_LOOK_MS, () => this.#look());
    };
    void look();
  }

  async #update(): Promise<void> {
    const { clock, runs } = this.#deps;
    const { signal } = this.#stopped;
    this.#schedule.begin(clock.now());
    using _ = await runs.acquire();
    try {
      if (!signal.aborted) await this.#index(signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    } finally {
      this.#schedule.end(clock.now());
      this.#arm();
    }
  }

  async #index(signal: AbortSignal): Promise<void> {
    const { watcher } = this.#deps;
    // If there is none, the next check finds its replacement.
    this.#identity = await identityOf(this.#path);
    if (this.#identity === undefined) return;
    // If the run fails before it knows the folders, the next walk retries.
    this.#walkAtMs = this.#deps.clock.now() + WATCH_WALK_MS;
    await this.#run(async (folders, sinceMs) => {
      if (signal.aborted) return;
      const problem = await watcher.watch({ root: this.#path, folders, sinceMs });
      if (signal.aborted) return;
      if (problem === undefined) this.#problem = undefined;
      else this.fallBack(problem);
    }, signal);
    this.#failure = undefined;
    if (this.#problem === undefined) this.#walkAtMs = Number.POSITIVE_INFINITY;
  }

  #fail(error: unknown): void {
    const failure = error instanceof EngineError ? error.message : "The last index run failed.";
    if (failure !== this.#failure) {
      this.#deps.log.warn({ root: this.#path, error }, "A watched root could not be indexed.");
    }
    this.#failure = failure;
    this.#walkAtMs = this.#deps.clock.now() + WATCH_WALK_MS;
  }
}

async function identityOf(path: string): Promise<string | undefined> {
  try {
    const stats = await lstat(path, { bigint: true });
    return stats.isDirectory() ? identityKey(stats) : undefined;
  } catch {
    // Whatever the reason is, there is nothing to index now; `rag/status` has it.
    return undefined;
  }
}

// The rules of ignore files are not known here: a change that they hide causes a run that finds nothing to do.
function isLeftOut(path: string): boolean {
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  return name === ENGINE_FOLDER || isGeneratedFile(name) || folders.some(isSkippedFolder);
}
