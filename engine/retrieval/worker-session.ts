import { realpathSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { collectGarbage } from "../../shared/node/collect-garbage.ts";
import { DocumentReader } from "./documents/document-reader.ts";
import type { Embedder } from "./embedder.ts";
import { RetrievalFailure } from "./failures.ts";
import { IndexHeartbeat } from "./index/index-heartbeat.ts";
import { indexRoot } from "./index/index-root.ts";
import { INDEX_PROGRESS_MS } from "./limits.ts";
import type { Reranker } from "./reranker.ts";
import type {
  FailedFile,
  Hit,
  IndexProgress,
  RetrievalRoot,
  RootCounts,
  SearchRequest,
} from "./retrieval.ts";
import { OpenSidecars } from "./search/open-sidecars.ts";
import { findUsableSidecar, type SearchDeps, searchRoots } from "./search/search-roots.ts";
import { countFailures, listFailedFiles } from "./sidecar/failure-store.ts";
import { RootLocks } from "./sidecar/locks.ts";
import { countAll, findMeta } from "./sidecar/meta-store.ts";
import { OwnIndexes } from "./sidecar/own-indexes.ts";
import { type Calls, serveThread } from "./thread.ts";
import type {
  EngineCalls,
  IndexedCounts,
  IndexRequest,
  ThreadFailure,
  WorkerCalls,
  WorkerSetup,
} from "./worker-calls.ts";

/** The thread's side: runs one index run of a root at a time. It ends with `stop`. */
export class WorkerSession implements WorkerCalls {
  readonly #engine: Calls<EngineCalls>;
  readonly #setup: WorkerSetup;
  readonly #embedder: Embedder;
  readonly #reranker: Reranker | undefined;
  readonly #locks = new RootLocks();
  readonly #own: OwnIndexes;
  readonly #sidecars: OpenSidecars;
  readonly #documents = new DocumentReader();
  readonly #heartbeat: IndexHeartbeat;
  readonly #running = new Map<number, AbortController>();

  constructor(
    setup: WorkerSetup,
    { embedder, reranker }: { embedder: Embedder; reranker?: Reranker | undefined },
  ) {
    this.#setup = setup;
    this.#embedder = embedder;
    this.#reranker = reranker;
    this.#own = new OwnIndexes(setup.dataDirectory);
    this.#sidecars = new OpenSidecars(embedder, this.#own);
    this.#heartbeat = new IndexHeartbeat(setup.heartbeat);
    this.#engine = serveThread<EngineCalls>(this);
  }

  index(call: number, request: IndexRequest): Promise<RootCounts> {
    return this.#run(call, (signal) =>
      this.#locks.run(request.root.path, () => this.#index(call, request, signal)),
    );
  }

  search(call: number, roots: readonly RetrievalRoot[], request: SearchRequest): Promise<Hit[]> {
    return this.#run(call, (signal) => searchRoots(this.#searchDeps(), roots, request, signal));
  }

  status(call: number, roots: readonly RetrievalRoot[]): Promise<IndexedCounts[]> {
    return this.#run(call, () => roots.map((root) => this.#status(root)));
  }

  failures(call: number, root: RetrievalRoot): Promise<FailedFile[]> {
    return this.#run(call, () => {
      const sidecar = findUsableSidecar(this.#searchDeps(), root);
      return sidecar ? listFailedFiles(sidecar) : [];
    });
  }

  release(call: number, root: RetrievalRoot): Promise<void> {
    return this.#run(call, () => {
      this.#sidecars.drop(root.path);
      return collectGarbage();
    });
  }

  cancel(call: number): void {
    this.#running.get(call)?.abort();
  }

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

  async #index(call: number, request: IndexRequest, signal: AbortSignal): Promise<RootCounts> {
    const { root, hung = [] } = request;
    signal.throwIfAborted();
    let hasWarned = false;
    const onTooManyRules = (path: string) => {
      if (!hasWarned) this.#warn({ root: root.path, path }, TOO_MANY_RULES);
      hasWarned = true;
    };
    try {
      return await indexRoot(root, {
        embedder: this.#embedder,
        own: this.#own,
        documents: this.#documents,
        heartbeat: this.#heartbeat,
        walk: { without: this.#dataDirectory(), onTooManyRules },
        hung,
        signal,
        now: () => Date.now(),
        report: this.#reporter(root),
        reportFolders: async (folders, sinceMs) => {
          if (request.reportsFolders) await this.#engine.folders(call, folders, sinceMs);
        },
        release: () => this.#engine.release(root),
      });
    } finally {
      void this.#engine.progress.asEvent(root, null);
      await collectGarbage();
    }
  }

  #reporter(root: RetrievalRoot): (progress: IndexProgress) => void {
    let sentMs = Number.NEGATIVE_INFINITY;
    let phase: string | undefined;
    return (progress) => {
      if (progress.phase === phase && performance.now() - sentMs < INDEX_PROGRESS_MS) return;
      sentMs = performance.now();
      phase = progress.phase;
      void this.#engine.progress.asEvent(root, progress);
    };
  }

  #dataDirectory(): string | undefined {
    const { dataDirectory } = this.#setup;
    try {
      return realpathSync.native(dataDirectory);
    } catch {
      // It does not exist, so no walk can reach it.
      return undefined;
    }
  }

  #status(root: RetrievalRoot): IndexedCounts {
    const sidecar = findUsableSidecar(this.#searchDeps(), root);
    if (!sidecar) return NOT_INDEXED;
    const lastIndexedAt = findMeta(sidecar, "indexed_at") ?? null;
    const failedFiles = countFailures(sidecar);
    return { searchable: true, ...countAll(sidecar), failedFiles, lastIndexedAt };
  }

  #searchDeps(): SearchDeps {
    return {
      embedder: this.#embedder,
      sidecars: this.#sidecars,
      warn: ({ path }, error) =>
        this.#warn({ root: path, cause: describe(error) }, "An index was skipped."),
      reranker: this.#reranker,
      warnOfReranker: ({ message }) => this.#warn({ reason: message }, RERANKER_FAILED),
    };
  }

  #warn(fields: Readonly<Record<string, string>>, message: string): void {
    void this.#engine.warn.asEvent(fields, message);
  }
}

const TOO_MANY_RULES = "An ignore file has more than 10,000 rules; the others are left out.";
const RERANKER_FAILED = "The reranker failed; the results are in the order of the search.";

const NOT_INDEXED: IndexedCounts = {
  searchable: false,
  documents: 0,
  chunks: 0,
  failedFiles: 0,
  lastIndexedAt: null,
};

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `; ${describe(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
