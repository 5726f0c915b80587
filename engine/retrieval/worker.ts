import { realpathSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { systemTimers } from "../../shared/clock.ts";
import { collectGarbage } from "../../shared/node/collect-garbage.ts";
import type { EngineConfig } from "../config.ts";
import { Semaphore } from "../semaphore.ts";
import { DocumentReader } from "./documents/document-reader.ts";
import { createEmbedder } from "./embedders/configured.ts";
import { type FailureCode, RetrievalFailure } from "./failures.ts";
import { IndexHeartbeat } from "./index/index-heartbeat.ts";
import { indexRoot } from "./index/index-root.ts";
import { INDEX_PROGRESS_MS, RAG_FAILURES_MAX } from "./limits.ts";
import {
  type FailedFile,
  type Hit,
  type IndexProgress,
  NOT_INDEXED,
  onceAnInterval,
  type RetrievalRoot,
  type RootCounts,
  type RootStatus,
  type SearchRequest,
} from "./retrieval.ts";
import { OpenSidecars } from "./search/open-sidecars.ts";
import { createReranker } from "./search/reranker.ts";

import { findUsableSidecar, type SearchDeps, searchRoots } from "./search/search-roots.ts";
import { countFailures, listFailures } from "./sidecar/failure-store.ts";
import { countAll, findMeta } from "./sidecar/meta-store.ts";
import { OwnIndexes } from "./sidecar/own-indexes.ts";
import { serveThread } from "./thread.ts";

/** No run indexes the data directory, and it lists the indexes of this engine. */
export type RetrievalConfig = Pick<EngineConfig, "embeddings" | "dataDirectory"> &
  Partial<Pick<EngineConfig, "rerank">>;

/** The `workerData` of a thread. */
export interface WorkerSetup extends RetrievalConfig {
  /** The memory of the `IndexHeartbeat` of the indexing thread. */
  heartbeat?: SharedArrayBuffer;
}

/** An index run, or the rest of one whose thread was replaced. */
export interface IndexRequest {
  root: RetrievalRoot;
  /** Files that blocked the thread. */
  hung?: readonly string[];
  /** Whether the run reports its folders and waits. */
  reportsFolders: boolean;
}

/** The functions of a thread. A call has a number; one that fails throws a `ThreadFailure`. */
export type WorkerCalls = Pick<RetrievalWorker, keyof RetrievalWorker>;

/** The functions that a thread calls in the engine. */
export interface EngineCalls {
  /** Null at the end of a run. */
  progress(root: RetrievalRoot, progress: IndexProgress | null): void;
  /** Closes the root's index in the search thread. */
  release(root: RetrievalRoot): Promise<void>;
  /** The folders that the run will read. */
  folders(call: number, folders: readonly string[], sinceMs: number): Promise<void>;
  warn(fields: Readonly<Record<string, string>>, message: string): void;
}

/** The error of a call: an `Error` would lose its code between threads. */
export interface ThreadFailure {
  code: FailureCode;
  message: string;
  /** With stacks, for the log. */
  cause: string;
}

// The program of two threads, for indexing and for search: both block a thread for long, and the engine must respond
// meanwhile (decision E-RAG-1). It ends with `stop`.
class RetrievalWorker {
  readonly #setup: WorkerSetup;
  readonly #own: OwnIndexes;
  readonly #sidecars: OpenSidecars;
  readonly #search: SearchDeps;
  readonly #documents = new DocumentReader();
  readonly #heartbeat: IndexHeartbeat;
  /** One index run of a root at a time, in order of arrival (Engine §2, retrieval rule 6). */
  readonly #locks = new Map<string, Semaphore>();
  readonly #running = new Map<number, AbortController>();
  readonly #engine = serveThread<EngineCalls>(this);

  constructor(setup: WorkerSetup) {
    const { embeddings, rerank, heartbeat, dataDirectory } = setup;
    const deps = { fetch: globalThis.fetch, timers: systemTimers };
    const embedder = createEmbedder(embeddings);
    this.#setup = setup;
    this.#own = new OwnIndexes(dataDirectory);
    this.#sidecars = new OpenSidecars(embedder, this.#own);
    this.#heartbeat = new IndexHeartbeat(heartbeat);
    this.#search = {
      embedder,
      sidecars: this.#sidecars,
      reranker: rerank && createReranker(rerank, deps),
      warn: ({ path }, error) =>
        this.#warn({ root: path, cause: describe(error) }, "An index was skipped."),
      warnOfReranker: ({ message }) => this.#warn({ reason: message }, RERANKER_FAILED),
    };
  }

  index(call: number, request: IndexRequest): Promise<RootCounts> {
    return this.#run(call, async (signal) => {
      using _ = await this.#acquire(request.root);
      signal.throwIfAborted();
      try {
        return await this.#index(call, request, signal);
      } finally {
        void this.#engine.progress.asEvent(request.root, null);
        await collectGarbage();
      }
    });
  }

  search(call: number, roots: readonly RetrievalRoot[], request: SearchRequest): Promise<Hit[]> {
    return this.#run(call, (signal) => searchRoots(this.#search, roots, request, signal));
  }

  /** Without progress, which only the engine knows. */
  status(call: number, roots: readonly RetrievalRoot[]): Promise<RootStatus[]> {
    return this.#run(call, () => roots.map((root) => this.#status(root)));
  }

  failures(call: number, root: RetrievalRoot): Promise<FailedFile[]> {
    return this.#run(call, () => {
      const sidecar = findUsableSidecar(this.#search, root);
      const rows = sidecar ? listFailures(sidecar, RAG_FAILURES_MAX) : [];
      return rows.map(({ path, reason }) => ({ path, reason }));
    });
  }

  /** Closes the root's index in the search thread. */
  release(call: number, root: RetrievalRoot): Promise<void> {
    return this.#run(call, () => {
      this.#sidecars.drop(root.path);
      return collectGarbage();
    });
  }

  cancel(call: number): void {
    this.#running.get(call)?.abort();
  }

  /** Ends runs, closes indexes, and exits. */
  stop(): void {
    for (const running of this.#running.values()) running.abort();
    this.#sidecars[Symbol.dispose]();
    this.#documents[Symbol.dispose]();
    parentPort?.close();
  }

  async #run<Result>(
    call: number,
    work: (signal: AbortSignal) => Promise<Result> | Result,
  ): Promise<Result> {
    const controller = new AbortController();
    this.#running.set(call, controller);
    try {
      this.#sidecars.closeReplaced();
      return await work(controller.signal);
    } catch (error) {
      throw {
        code: error instanceof RetrievalFailure ? error.code : "internal",
        message: error instanceof Error ? error.message : "unknown",
        cause: describe(error),
      } satisfies ThreadFailure;
    } finally {
      this.#running.delete(call);
    }
  }

  #acquire({ path }: RetrievalRoot): Promise<Disposable> {
    const lock = this.#locks.get(path) ?? new Semaphore(1);
    this.#locks.set(path, lock);
    return lock.acquire();
  }

  #index(
    call: number,
    { root, hung = [], reportsFolders }: IndexRequest,
    signal: AbortSignal,
  ): Promise<RootCounts> {
    let hasWarned = false;
    const onTooManyRules = (path: string) => {
      if (!hasWarned) this.#warn({ root: root.path, path }, TOO_MANY_RULES);
      hasWarned = true;
    };
    return indexRoot(root, {
      embedder: this.#search.embedder,
      own: this.#own,
      documents: this.#documents,
      heartbeat: this.#heartbeat,
      walk: { without: this.#dataDirectory(), onTooManyRules },
      hung,
      signal,
      now: () => Date.now(),
      report: onceAnInterval(INDEX_PROGRESS_MS, performance, (progress) => {
        void this.#engine.progress.asEvent(root, progress);
      }),
      reportFolders: async (folders, sinceMs) => {
        if (reportsFolders) await this.#engine.folders(call, folders, sinceMs);
      },
      release: () => this.#engine.release(root),
    });
  }

  #dataDirectory(): string | undefined {
    try {
      return realpathSync.native(this.#setup.dataDirectory);
    } catch {
      // It does not exist, so no walk can reach it.
      return undefined;
    }
  }

  #status(root: RetrievalRoot): RootStatus {
    const sidecar = findUsableSidecar(this.#search, root);
    if (!sidecar) return NOT_INDEXED;
    const lastIndexedAt = findMeta(sidecar, "indexed_at") ?? null;
    const failedFiles = countFailures(sidecar);
    return { searchable: true, ...countAll(sidecar), failedFiles, lastIndexedAt, progress: null };
  }

  #warn(fields: Readonly<Record<string, string>>, message: string): void {
    void this.#engine.warn.asEvent(fields, message);
  }
}

const TOO_MANY_RULES = "An ignore file has more than 10,000 rules; the others are left out.";
const RERANKER_FAILED = "The reranker failed; the results are in the order of the search.";

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `; ${describe(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

new RetrievalWorker(workerData as WorkerSetup);
