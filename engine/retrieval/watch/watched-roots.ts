import type { WorkspaceRow } from "../../db/schema.ts";
import type { EngineDeps } from "../../deps.ts";
import type { Change } from "../../events/change.ts";
import { Semaphore } from "../../semaphore.ts";
import { enabledRoots, toAbsolutePath } from "../../workspaces/roots.ts";
import { findWorkspace, listWatching } from "../../workspaces/store.ts";
import { indexForWorkspaces, type RootRef } from "../actions.ts";
import { WATCH_RUNS_AT_ONCE, WATCHED_ROOTS_MAX } from "../limits.ts";
import { type OpenWatcher, openThreadWatcher, type Watcher } from "./thread-watcher.ts";
import { type RunIndex, WatchedRoot } from "./watched-root.ts";

const TOO_MANY_ROOTS = `At most ${WATCHED_ROOTS_MAX} roots are watched; this one is not.`;

type WatchDeps = Pick<EngineDeps, "db" | "retrieval" | "changes" | "clock" | "timers" | "log">;

/** The roots that workspaces want to be watched. It follows their configuration. */
export class WatchedRoots {
  readonly #deps: WatchDeps;
  readonly #watcher: Watcher;
  readonly #runs = new Semaphore(WATCH_RUNS_AT_ONCE);
  /** By path: the workspaces that want it to be watched, by uuid. */
  readonly #wanted = new Map<string, Map<string, RootRef>>();
  /** By path; at most `WATCHED_ROOTS_MAX`. */
  readonly #roots = new Map<string, WatchedRoot>();
  readonly #stopping = new Set<Promise<void>>();
  #unsubscribe: (() => void) | undefined;
  #refreshed: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(deps: WatchDeps, openWatcher: OpenWatcher = openThreadWatcher) {
    this.#deps = deps;
    this.#watcher = openWatcher({
      onChanges: (path, changes) => this.#roots.get(path)?.onChanges(changes),
      onWatchLost: (path, problem) => this.#roots.get(path)?.fallBack(problem),
    });
  }

  /** Brings every watched root up to date, and follows the workspaces from here on. */
  start(): void {
    this.#unsubscribe = this.#deps.changes.subscribe((change) => this.#follow(change));
    this.#refresh(async () => {
      for (const row of await listWatching(this.#deps.db)) this.#want(row.uuid, row);
    });
  }

  /** Why changes of a root are not seen as they happen; undefined if they are, or nothing is known yet. */
  problemOf(written: string): string | undefined {
    const path = toAbsolutePath(written);
    if (path === undefined) return undefined;
    const root = this.#roots.get(path);
    return !root && this.#wanted.has(path) ? TOO_MANY_ROOTS : root?.problem;
  }

  /** Ends runs, watches and timers. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe?.();
    await this.#refreshed;
    this.#wanted.clear();
    for (const path of this.#roots.keys()) this.#drop(path);
    await Promise.all(this.#stopping);
    await this.#watcher.close();
  }

  #follow({ type, data }: Change): void {
    switch (type) {
      case "workspace.deleted":
        this.#refresh(async () => this.#want(data.workspaceUuid, undefined));
        return;
      case "workspace.created":
      case "workspace.updated":
        this.#refresh(async () => {
          const row = await findWorkspace(this.#deps.db, data.workspaceUuid);
          this.#want(data.workspaceUuid, row);
        });
        return;
    }
  }

  // One after the other: each sees the result of the one before.
  #refresh(update: () => Promise<void>): void {
    const refresh = async () => {
      if (this.#isClosed) return;
      try {
        await update();
        if (!this.#isClosed) this.#apply();
      } catch (error) {
        this.#deps.log.error({ error }, "The watched roots could not be read.");
      }
    };
    this.#refreshed = this.#refreshed.then(refresh);
  }

  #want(uuid: string, row: Pick<WorkspaceRow, "directories" | "ragConfig"> | undefined): void {
    for (const refs of this.#wanted.values()) refs.delete(uuid);
    for (const { path: written, rootIndex, watch } of row ? enabledRoots(row) : []) {
      const path = watch ? toAbsolutePath(written) : undefined;
      if (path === undefined) continue;
      const refs = this.#wanted.get(path) ?? new Map<string, RootRef>();
      this.#wanted.set(path, refs.set(uuid, { workspaceUuid: uuid, rootIndex }));
    }
  }

  #apply(): void {
    for (const [path, refs] of this.#wanted) {
      if (refs.size > 0) continue;
      this.#wanted.delete(path);
      this.#drop(path);
    }
    for (const path of this.#wanted.keys()) {
      if (!this.#roots.has(path) && this.#roots.size < WATCHED_ROOTS_MAX) this.#add(path);
    }
  }

  #add(path: string): void {
    const deps = { ...this.#deps, watcher: this.#watcher, runs: this.#runs };
    const run: RunIndex = (onFolders, signal) => {
      const refs = [...(this.#wanted.get(path)?.values() ?? [])];
      return indexForWorkspaces(this.#deps, refs, path, { onFolders, signal });
    };
    const root = new WatchedRoot(deps, path, run);
    this.#roots.set(path, root);
    root.start();
  }

  #drop(path: string): void {
    const root = this.#roots.get(path);
    if (!root) return;
    this.#roots.delete(path);
    const stopping = root.stop();
    this.#stopping.add(stopping);
    void stopping.finally(() => this.#stopping.delete(stopping));
  }
}
