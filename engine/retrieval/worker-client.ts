import { systemTimers, type Timers } from "../../shared/clock.ts";
import type { Logger } from "../../shared/log.ts";
import { DocumentReader } from "./documents/document-reader.ts";
import type { DocumentRead, DocumentRequest } from "./documents/document-thread.ts";
import { IndexHeartbeat, watchHeartbeat } from "./index/index-heartbeat.ts";
import { IndexRuns } from "./index-runs.ts";
import { INDEX_PROGRESS_LOG_MS, INDEX_THREAD_IDLE_MS, RETRIEVAL_IDLE_MS } from "./limits.ts";
import type {
  FailedFile,
  Hit,
  IndexProgress,
  OnFolders,
  RetrievalRoot,
  RootCounts,
  RootStatus,
  SearchRequest,
} from "./retrieval.ts";
import { threadProgram } from "./thread.ts";
import { ThreadClient } from "./thread-client.ts";
import type { EngineCalls, IndexRequest, RetrievalConfig } from "./worker.ts";

interface RetrievalDeps {
  config: RetrievalConfig;
  log: Logger;
  /** For the watchdogs of the indexing thread and of documents. */
  timers?: Timers;
  /** The program of the threads; tests pass one that exits or hangs. */
  worker?: URL;
}

/** Indexing and search over roots, each in a thread of its own, as both block a thread for long (decision E-RAG-1). */
export type Retrieval = Pick<RetrievalThreads, keyof RetrievalThreads>;

/** Retrieval in threads that start with the first call and do not keep the process alive. */
export function openRetrieval(deps: RetrievalDeps): Retrieval & AsyncDisposable {
  return new RetrievalThreads(deps);
}

interface Run {
  request: IndexRequest;
  onFolders: OnFolders | undefined;
  /** The number of its call. */
  call?: number;
}

/** One thread searches, another one indexes: a file that blocks the latter never blocks a search. */
class RetrievalThreads implements AsyncDisposable {
  /** The active index runs. */
  readonly runs = new IndexRuns();
  readonly #log: Logger;
  readonly #timers: Timers;
  readonly #searcher: ThreadClient;
  readonly #indexer: ThreadClient;
  readonly #documents: DocumentReader;
  #heartbeat = new IndexHeartbeat();
  #stopWatchdog: (() => void) | undefined;
  readonly #indexing = new Set<Run>();
  readonly #listeners = new Set<{ path: string; listener: (progress: IndexProgress) => void }>();
  readonly #progress = new Map<string, { progress: IndexProgress; loggedMs: number }>();

  constructor({ config, log, worker, timers = systemTimers }: RetrievalDeps) {
    this.#log = log;
    this.#timers = timers;
    this.#documents = new DocumentReader(timers);
    const options = {
      program: worker ?? threadProgram("worker", import.meta.url),
      log,
      own: this.#ownCalls(),
    };
    const { embeddings, rerank, dataDirectory } = config;
    const setup = { embeddings, rerank, dataDirectory };
    this.#searcher = new ThreadClient({
      ...options,
      setup: () => setup,
      idleMs: RETRIEVAL_IDLE_MS,
    });
    this.#indexer = new ThreadClient({
      ...options,
      setup: () => {
        // The shared memory of a terminated thread is stale for the next one.
        this.#heartbeat = new IndexHeartbeat();
        return { ...setup, heartbeat: this.#heartbeat.memory };
      },
      idleMs: INDEX_THREAD_IDLE_MS,
    });
  }

  /**
   * Waits if the root is busy. The signal ends the run at its next pause; its commits stay.
   * @throws EngineError `embedding` if the embedder or the disk failed, `conflict` if a newer engine wrote the index,
   * `invalid` if the root cannot hold an index.
   */
  async indexRoot(
    root: RetrievalRoot,
    signal?: AbortSignal,
    onFolders?: OnFolders,
  ): Promise<RootCounts> {
    const run: Run = { request: { root, reportsFolders: onFolders !== undefined }, onFolders };
    this.#indexing.add(run);
    this.#stopWatchdog ??= watchHeartbeat(
      this.#timers,
      () => this.#heartbeat,
      (held) => this.#replaceHung(held),
    );
    try {
      return await this.#indexer.call((thread, call) => {
        run.call = call;
        return thread.index(call, run.request);
      }, signal);
    } finally {
      this.#indexing.delete(run);
      if (this.#indexing.size === 0) {
        this.#stopWatchdog?.();
        this.#stopWatchdog = undefined;
      }
    }
  }

  /** Subscribes to the index runs of the root's path. Returns the function that unsubscribes. */
  onProgress({ path }: RetrievalRoot, listener: (progress: IndexProgress) => void): () => void {
    const subscription = { path, listener };
    this.#listeners.add(subscription);
    return () => this.#listeners.delete(subscription);
  }

  /** Results by descending score. Roots without a usable sidecar are skipped. @throws EngineError `embedding`. */
  search(
    roots: readonly RetrievalRoot[],
    request: SearchRequest,
    signal?: AbortSignal,
  ): Promise<Hit[]> {
    return this.#searcher.call((thread, call) => thread.search(call, roots, request), signal);
  }

  async status(roots: readonly RetrievalRoot[]): Promise<RootStatus[]> {
    const statuses = await this.#searcher.call((thread, call) => thread.status(call, roots));
    return statuses.map((status, at) => {
      const { progress = null } = this.#progress.get(roots[at]?.path ?? "") ?? {};
      return { ...status, progress };
    });
  }

  /** The files that the index of a root could not read, sorted by path, up to a limit. */
  failures(root: RetrievalRoot): Promise<FailedFile[]> {
    return this.#searcher.call((thread, call) => thread.failures(call, root));
  }

  /** The text of a PDF or DOCX, read in a thread of its own. @throws the signal's reason. */
  readDocument(request: DocumentRequest, signal?: AbortSignal): Promise<DocumentRead> {
    return this.#documents.read(request, signal);
  }

  /** Ends index runs at their next pause; their commits stay. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#documents[Symbol.dispose]();
    await Promise.all([this.#searcher.close(), this.#indexer.close()]);
  }

  #ownCalls(): EngineCalls {
    return {
      progress: (root, progress) => this.#noteProgress(root, progress),
      release: (root) => this.#release(root),
      folders: (call, folders, sinceMs) => this.#reportFolders(call, folders, sinceMs),
      warn: (fields, message) => this.#log.warn(fields, message),
    };
  }

  #noteProgress({ path }: RetrievalRoot, progress: IndexProgress | null): void {
    if (!progress) {
      this.#progress.delete(path);
      return;
    }
    let { loggedMs } = this.#progress.get(path) ?? { loggedMs: performance.now() };
    if (performance.now() - loggedMs >= INDEX_PROGRESS_LOG_MS) {
      loggedMs = performance.now();
      this.#log.info({ root: path, ...progress }, "Indexing continues.");
    }
    this.#progress.set(path, { progress, loggedMs });
    for (const subscription of this.#listeners)
      if (subscription.path === path) subscription.listener(progress);
  }

  // The indexing thread waits for this before it replaces an index.
  async #release(root: RetrievalRoot): Promise<void> {
    if (!this.#searcher.isRunning) return;
    try {
      await this.#searcher.call((thread, call) => thread.release(call, root));
    } catch {
      // An ended thread has no index open.
    }
  }

  // The run continues even if the watch fails.
  async #reportFolders(call: number, folders: readonly string[], sinceMs: number): Promise<void> {
    const run = [...this.#indexing].find((run) => run.call === call);
    try {
      await run?.onFolders?.(folders, sinceMs);
    } catch (error) {
      const { path } = run?.request.root ?? {};
      this.#log.error({ root: path, error }, "The folders of a root could not be watched.");
    }
  }

  #replaceHung({ root, path }: { root: string; path: string }): void {
    this.#log.warn(
      { root, path },
      "A file held the indexing thread for over 30 s; it is left out.",
    );
    // The runs of the root continue in another thread.
    for (const run of this.#indexing) {
      if (run.request.root.path !== root) continue;
      run.request = { ...run.request, hung: [...(run.request.hung ?? []), path] };
    }
    this.#progress.clear();
    this.#indexer.replace();
  }
}
