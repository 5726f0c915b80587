import { systemTimers, type Timers } from "../../shared/clock.ts";
import type { Logger } from "../../shared/log.ts";
import type { EmbeddingsConfig, RerankConfig } from "../config.ts";
import { embeddingFailed } from "../errors.ts";
import { DocumentReader } from "./documents/document-reader.ts";
import type { DocumentAsk, DocumentRead } from "./documents/document-thread.ts";
import { FileInWork, type Held } from "./index/file-in-work.ts";
import type { Checkpoint } from "./index/index-run.ts";
import { IndexRuns } from "./index-runs.ts";
import { IndexWatchdog } from "./index-watchdog.ts";
import { INDEX_PROGRESS_LOG_MS, INDEX_THREAD_IDLE_MS, RETRIEVAL_IDLE_MS } from "./limits.ts";
import type {
  FailedFile,
  Hit,
  IndexProgress,
  OnFolders,
  Relevance,
  Retrieval,
  RetrievalRoot,
  RootCounts,
  RootStatus,
  SearchRequest,
} from "./retrieval.ts";
import { type Note, ThreadClient } from "./thread-client.ts";
import { threadProgram } from "./thread-program.ts";
import type { IndexAsk } from "./worker-protocol.ts";

/** The dependencies of the threads' client. */
interface RetrievalDeps {
  config: {
    embeddings: EmbeddingsConfig;
    rerank?: RerankConfig | undefined;
    dataDirectory: string;
  };
  log: Logger;
  /** For the watchdogs of the indexing thread and of documents. */
  timers?: Timers;
  /** The program of the threads; tests pass one that exits or hangs. */
  worker?: URL;
}

/** Retrieval in threads that start with the first call and do not keep the process alive. */
export function openRetrieval(deps: RetrievalDeps): Retrieval {
  return new RetrievalThreads(deps);
}

/** One thread searches, another one indexes: a file that blocks the latter never blocks a search. */
class RetrievalThreads implements Retrieval {
  readonly runs = new IndexRuns();
  readonly #log: Logger;
  readonly #searcher: ThreadClient;
  readonly #indexer: ThreadClient;
  readonly #documents: DocumentReader;
  readonly #watchdog: IndexWatchdog;
  #inWork = new FileInWork();
  readonly #onFolders = new Map<string, OnFolders>();
  readonly #listeners = new Set<{ path: string; listener: (progress: IndexProgress) => void }>();
  readonly #progress = new Map<string, { progress: IndexProgress; loggedMs: number }>();

  constructor({ config, log, worker, timers = systemTimers }: RetrievalDeps) {
    this.#log = log;
    this.#watchdog = new IndexWatchdog({
      timers,
      inWork: () => this.#inWork,
      onHang: (held) => this.#replaceHung(held),
      onStall: (stalled) => this.#replaceStalled(stalled),
    });
    this.#documents = new DocumentReader(timers);
    const options = {
      program: worker ?? threadProgram("worker", import.meta.url),
      log,
      onNote: (note: Note) => this.#hear(note),
    };
    const { embeddings, rerank, dataDirectory } = config;
    const setup = (inWork: FileInWork) => ({
      embeddings,
      rerank,
      dataDirectory,
      inWork: inWork.memory,
    });
    this.#searcher = new ThreadClient({
      ...options,
      setup: () => setup(new FileInWork()),
      idleMs: RETRIEVAL_IDLE_MS,
    });
    this.#indexer = new ThreadClient({
      ...options,
      setup: () => {
        // The shared memory of a terminated thread is stale for the next one.
        this.#inWork = new FileInWork();
        return setup(this.#inWork);
      },
      idleMs: INDEX_THREAD_IDLE_MS,
      onBusy: (busy) => (busy ? this.#watchdog.start() : this.#watchdog.stop()),
    });
  }

  async indexRoot(
    root: RetrievalRoot,
    signal?: AbortSignal,
    onFolders?: OnFolders,
  ): Promise<RootCounts> {
    if (!onFolders) return this.#indexer.ask({ kind: "index", root }, signal);
    this.#onFolders.set(root.path, onFolders);
    try {
      return await this.#indexer.ask({ kind: "index", root, tellsFolders: true }, signal);
    } finally {
      if (this.#onFolders.get(root.path) === onFolders) this.#onFolders.delete(root.path);
    }
  }

  judge(root: RetrievalRoot, paths: readonly string[], signal?: AbortSignal): Promise<Relevance> {
    return this.#indexer.ask({ kind: "judge", root, paths }, signal);
  }

  onProgress({ path }: RetrievalRoot, listener: (progress: IndexProgress) => void): () => void {
    const heard = { path, listener };
    this.#listeners.add(heard);
    return () => this.#listeners.delete(heard);
  }

  search(
    roots: readonly RetrievalRoot[],
    request: SearchRequest,
    signal?: AbortSignal,
  ): Promise<Hit[]> {
    return this.#searcher.ask({ kind: "search", roots, request }, signal);
  }

  async status(roots: readonly RetrievalRoot[]): Promise<RootStatus[]> {
    const statuses = await this.#searcher.ask({ kind: "status", roots });
    return statuses.map((status, at) => ({
      ...status,
      progress: this.#progress.get(roots[at]?.path ?? "")?.progress ?? null,
    }));
  }

  failures(root: RetrievalRoot): Promise<FailedFile[]> {
    return this.#searcher.ask({ kind: "failures", root });
  }

  readDocument(ask: DocumentAsk, signal?: AbortSignal): Promise<DocumentRead> {
    return this.#documents.read(ask, signal);
  }

  /** Ends index runs at their next pause; their commits stay. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#watchdog.stop();
    this.#documents[Symbol.dispose]();
    await Promise.all([this.#searcher.close(), this.#indexer.close()]);
  }

  #hear(note: Note): void {
    switch (note.type) {
      case "progress":
        this.#noteProgress(note.root, note.progress);
        return;
      case "checkpoint":
        this.#indexer.amend(note.id, (ask) =>
          ask.kind === "index" ? continueAt(ask, note.checkpoint) : ask,
        );
        return;
      case "release":
        void this.#release(note.id, note.root);
        return;
      case "folders":
        void this.#tellFolders(note);
        return;
      case "unusable":
        this.#log.warn({ root: note.root.path, cause: note.cause }, "An index was skipped.");
        return;
      case "rerank-failed":
        this.#log.warn(
          { reason: note.reason },
          "The reranker failed; the results are in the order of the search.",
        );
        return;
      case "too-many-rules":
        this.#log.warn(
          { root: note.root.path, path: note.path },
          "An ignore file has more than 10,000 rules; the others are left out.",
        );
        return;
    }
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
    for (const heard of this.#listeners) if (heard.path === path) heard.listener(progress);
  }

  // The indexing thread waits for this before it replaces an index.
  async #release(id: number, root: RetrievalRoot): Promise<void> {
    try {
      if (this.#searcher.isRunning) await this.#searcher.ask({ kind: "release", root });
    } catch {
      // An ended thread has no index open.
    }
    this.#indexer.post({ type: "done", id });
  }

  // The run goes on whatever becomes of the watch.
  async #tellFolders({ id, root, folders, sinceMs }: Extract<Note, { type: "folders" }>) {
    try {
      await this.#onFolders.get(root.path)?.(folders, sinceMs);
    } catch (error) {
      this.#log.error({ root: root.path, error }, "The folders of a root could not be watched.");
    }
    this.#indexer.post({ type: "done", id });
  }

  #replaceHung({ path, root }: Held): void {
    this.#log.warn(
      { root, path },
      "A file held the indexing thread for over 30 s; it is left out.",
    );
    this.#progress.clear();
    this.#indexer.replace((ask) => {
      if (ask.kind === "judge" && ask.root.path === root)
        return new Error("A file takes too long.");
      if (ask.kind !== "index" || ask.root.path !== root) return ask;
      return { ...ask, hung: [...(ask.hung ?? []), path] };
    });
  }

  // Once may be the machine's fault. A run that stalls again without a commit in between ends.
  #replaceStalled(root: string): void {
    this.#log.warn({ root }, "The indexing thread did not run for 2 minutes; it is replaced.");
    this.#progress.clear();
    this.#indexer.replace((ask) => {
      if (ask.kind !== "index" || ask.root.path !== root) return ask;
      return ask.hasStalled ? embeddingFailed(STALLED) : { ...ask, hasStalled: true };
    });
  }
}

const STALLED =
  "Indexing stopped twice at the same place, for 2 minutes each. What was stored stays; the next run continues there.";

function continueAt(ask: IndexAsk, checkpoint: Checkpoint): IndexAsk {
  const isFurther = checkpoint.position > (ask.resume?.position ?? 0);
  return { ...ask, resume: checkpoint, hasStalled: ask.hasStalled === true && !isFurther };
}
