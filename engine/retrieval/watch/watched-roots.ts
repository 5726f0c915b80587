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

interface Entry {
  root: WatchedRoot;
  /** Where the root is listed; several workspaces may watch one. */
  refs: readonly RootRef[];
}

/** The roots that workspaces want to be watched. It follows their configuration. */
export class WatchedRoots {
  readonly #deps: WatchDeps;
  readonly #watcher: Watcher;
  readonly #runs = new Semaphore(WATCH_RUNS_AT_ONCE);
  /** By workspace: the paths that it wants to be watched. */
  readonly #wanted = new Map<string, ReadonlyMap<string, RootRef>>();
  /** By path. */
  readonly #entries = new Map<string, Entry>();
  readonly #stopping = new Set<Promise<void>>();
  #left: ReadonlySet<string> = new Set();
  #unsubscribe: (() => void) | undefined;
  #refreshed: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(deps: WatchDeps, openWatcher: OpenWatcher = openThreadWatcher) {
    this.#deps = deps;
    this.#watcher = openWatcher({
      onChanges: (path, changes) => this.#entries.get(path)?.root.onChanges(changes),
      onWatchLost: (path, problem) => this.#entries.get(path)?.root.fallBack(problem),
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
    return this.#left.has(path) ? TOO_MANY_ROOTS : this.#entries.get(path)?.root.problem;
  }

  /** Ends runs, watches and timers. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe?.();
    await this.#refreshed;
    for (const path of [...this.#entries.keys()]) this.#drop(path);
    await Promise.all(this.#stopping);
    await this.#watcher.close();
  }

  #follow({ type, data }: Change): void {
    switch (type) {
      case "workspace.deleted":
        this.#refresh(async () => void this.#wanted.delete(data.workspaceUuid));
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
    const roots = row ? enabledRoots(row).filter((root) => root.watch) : [];
    const refs = roots.flatMap(({ path: written, rootIndex }) => {
      const path = toAbsolutePath(written);
      return path === undefined ? [] : [[path, { workspaceUuid: uuid, rootIndex }] as const];
    });
    if (refs.length === 0) this.#wanted.delete(uuid);
    else this.#wanted.set(uuid, new Map(refs));
  }

  #apply(): void {
    const wanted = new Map<string, RootRef[]>();
    for (const roots of this.#wanted.values()) {
      for (const [path, ref] of roots) wanted.set(path, [...(wanted.get(path) ?? []), ref]);
    }
    for (const path of this.#entries.keys()) if (!wanted.has(path)) this.#drop(path);
    const left = new Set<string>();
    for (const [path, refs] of wanted) {
      const known = this.#entries.get(path);
      if (known) known.refs = refs;
      else if (this.#entries.size < WATCHED_ROOTS_MAX) this.#add(path, refs);
      else left.add(path);
    }
    this.#left = left;
  }

  #add(path: string, refs: readonly RootRef[]): void {
    const deps = { ...this.#deps, watcher: this.#watcher, runs: this.#runs };
    const run: RunIndex = (onFolders, signal) =>
      indexForWorkspaces(this.#deps, entry.refs, path, { onFolders, signal });
    const entry: Entry = { root: new WatchedRoot(deps, path, run), refs };
    this.#entries.set(path, entry);
    entry.root.start();
  }

  #drop(path: string): void {
    const entry = this.#entries.get(path);
    if (!entry) return;
    this.#entries.delete(path);
    const stopping = entry.root.stop();
    this.#stopping.add(stopping);
    void stopping.finally(() => this.#stopping.delete(stopping));
  }
}
