import { setImmediate as nextTurn } from "node:timers/promises";
import { WATCH_QUIET_MS } from "../../../engine/retrieval/limits.ts";
import type { WatchListener } from "../../../engine/retrieval/watch/folder-watches.ts";
import {
  type OpenWatcher,
  openThreadWatcher,
} from "../../../engine/retrieval/watch/thread-watcher.ts";
import type { RagRootStatus } from "../../../engine/retrieval/wire.ts";
import { until } from "../time.ts";
import type { EngineOverrides } from "./engine.ts";
import { expect200, type Files } from "./files.ts";
import { createRag, type Rag } from "./retrieval.ts";

/** An engine that watches all of its temporary roots, with a clock that the test moves. */
export interface Watched extends AsyncDisposable {
  rag: Rag;
  /** The roots whose runs have ended, by their index, since the start. */
  runs: string[];
  /** Resolves when there were so many runs in all; `wait` is called at each look before. */
  untilRuns(count: number, wait?: () => void): Promise<void>;
  /** The same, with quiet moments: a check of earlier changes may be on, and the next one waits as long as it took. */
  untilQuietRuns(count: number): Promise<void>;
  /** Resolves when the watcher has reported these paths of any root since the last call. */
  heard(...paths: string[]): Promise<void>;
  status(): Promise<RagRootStatus[]>;
  /** Replaces the `ragConfig`. */
  configure(
    roots: readonly { path: string | undefined; watch?: unknown; enabled?: boolean }[],
  ): Promise<void>;
}

/** Starts it and waits for the first run of each root. */
export async function createWatched(
  files: readonly Files[],
  { openWatcher = openThreadWatcher, ...overrides }: EngineOverrides = {},
): Promise<Watched> {
  const reported = new Set<string>();
  const spying: OpenWatcher = (listener) =>
    openWatcher({
      ...listener,
      onChanges(root, changes) {
        listener.onChanges(root, changes);
        for (const path of changes.paths) reported.add(path);
      },
    });
  const rag = await createRag(files, { ...overrides, openWatcher: spying });
  const { engine } = rag;
  const runs: string[] = [];
  engine.deps.changes.subscribe((change) => {
    if (change.type !== "rag.completed") return;
    const { workspaceUuid, rootIndex, state } = change.data;
    runs.push(`${workspaceUuid === rag.uuid ? rootIndex : "other"} ${state}`);
  });
  const untilRuns = async (count: number, wait = () => {}) => {
    await until(`Run ${count}`, () => {
      if (runs.length >= count) return true;
      wait();
      return false;
    });
    // The end of a run reaches its root in the same turn.
    await nextTurn();
  };
  engine.engine.resume();
  const watched: Watched = {
    rag,
    runs,
    untilRuns,
    untilQuietRuns: (count) => untilRuns(count, () => engine.deps.clock.advance(WATCH_QUIET_MS)),
    async heard(...paths) {
      await until(`A report of ${paths.join(", ")}`, () =>
        paths.every((path) => reported.has(path)) ? true : undefined,
      );
      reported.clear();
    },
    async status() {
      const answer = await rag.call("GET", "/status");
      return (await expect200<{ roots: RagRootStatus[] }>(answer)).roots;
    },
    async configure(roots) {
      const directories = JSON.stringify(rag.roots);
      const ragConfig = JSON.stringify({ roots });
      const body = { name: "w", directories, ragConfig };
      await expect200(await engine.call("PUT", `/workspaces/${rag.uuid}`, body));
    },
    async [Symbol.asyncDispose]() {
      await engine.engine.close();
      await rag[Symbol.asyncDispose]();
    },
  };
  await watched.configure(rag.roots.map((path) => ({ path, watch: true })));
  await untilRuns(files.length);
  return watched;
}

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
