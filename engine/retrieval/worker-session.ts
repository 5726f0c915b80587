import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { MessagePort } from "node:worker_threads";
import { collectGarbage } from "../../shared/node/collect-garbage.ts";
import { Slices } from "../files/slices.ts";
import { DocumentReader } from "./documents/document-reader.ts";
import type { Embedder } from "./embedder.ts";
import { RetrievalFailure } from "./failures.ts";
import { FileInWork } from "./index/file-in-work.ts";
import { indexRoot } from "./index/index-root.ts";
import { currentStamp, NOTHING_DONE } from "./index/index-run.ts";
import { judgeChanges } from "./index/judge-changes.ts";
import { INDEX_BEAT_MS, INDEX_PROGRESS_MS, INDEX_SLICE_MS } from "./limits.ts";
import type { Reranker } from "./reranker.ts";
import type {
  FailedFile,
  IndexProgress,
  Relevance,
  RetrievalRoot,
  RootCounts,
} from "./retrieval.ts";
import { OpenSidecars } from "./search/open-sidecars.ts";
import { findUsableSidecar, type SearchDeps, searchRoots } from "./search/search-roots.ts";
import { countFailures, findFailure, listFailedFiles } from "./sidecar/failure-store.ts";
import { findSidecarFolder, hasSidecarFile, SIDECAR_FILE } from "./sidecar/folder.ts";
import { RootLocks } from "./sidecar/locks.ts";
import { countAll, findMeta } from "./sidecar/meta-store.ts";
import { OwnIndexes } from "./sidecar/own-indexes.ts";
import { openExistingSidecar } from "./sidecar/sidecar.ts";
import type {
  Ask,
  FromWorker,
  IndexAsk,
  IndexedCounts,
  JudgeAsk,
  ToWorker,
  WorkerSetup,
} from "./worker-protocol.ts";

/** The thread's side: receives requests, runs one index run of a root at a time, sends responses. */
export class WorkerSession {
  readonly #port: MessagePort;
  readonly #setup: WorkerSetup;
  readonly #embedder: Embedder;
  readonly #reranker: Reranker | undefined;
  readonly #locks = new RootLocks();
  readonly #own: OwnIndexes;
  readonly #sidecars: OpenSidecars;
  readonly #documents = new DocumentReader();
  readonly #inWork: FileInWork;
  readonly #running = new Map<number, AbortController>();
  readonly #asked = new Map<number, () => void>();
  #lastAsked = 0;

  constructor(
    port: MessagePort,
    setup: WorkerSetup,
    { embedder, reranker }: { embedder: Embedder; reranker?: Reranker | undefined },
  ) {
    this.#port = port;
    this.#setup = setup;
    this.#embedder = embedder;
    this.#reranker = reranker;
    this.#own = new OwnIndexes(setup.dataDirectory);
    this.#sidecars = new OpenSidecars(embedder, this.#own);
    this.#inWork = new FileInWork(setup.inWork);
    this.#inWork.beat();
    setInterval(() => this.#inWork.beat(), INDEX_BEAT_MS).unref();
    port.on("message", (message: ToWorker) => this.#receive(message));
  }

  #receive(message: ToWorker): void {
    switch (message.type) {
      case "ask":
        void this.#answer(message.id, message.ask);
        return;
      case "cancel":
        this.#running.get(message.id)?.abort();
        return;
      case "done":
        this.#asked.get(message.id)?.();
        this.#asked.delete(message.id);
        return;
      case "stop":
        for (const running of this.#running.values()) running.abort();
        this.#sidecars[Symbol.dispose]();
        this.#documents[Symbol.dispose]();
        this.#port.close();
        return;
    }
  }

  async #answer(id: number, ask: Ask): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      this.#sidecars.closeReplaced();
      const value = await this.#carryOut(id, ask, controller.signal);
      this.#send({ type: "answer", id, value });
    } catch (error) {
      const code = error instanceof RetrievalFailure ? error.code : "internal";
      const message = error instanceof Error ? error.message : "unknown";
      this.#send({ type: "failure", id, code, message, cause: describe(error) });
    } finally {
      this.#running.delete(id);
    }
  }

  #carryOut(id: number, ask: Ask, signal: AbortSignal): Promise<unknown> | unknown {
    switch (ask.kind) {
      case "index":
        return this.#locks.run(ask.root.path, () => this.#index(id, ask, signal));
      case "judge":
        return this.#locks.run(ask.root.path, () => this.#judge(ask, signal));
      case "search":
        return searchRoots(this.#searchDeps(), ask.roots, ask.request, signal);
      case "status":
        return ask.roots.map((root) => this.#status(root));
      case "failures":
        return this.#failures(ask.root);
      case "release":
        this.#sidecars.forget(ask.root.path);
        return collectGarbage().then(() => null);
    }
  }

  async #index(id: number, ask: IndexAsk, signal: AbortSignal): Promise<RootCounts> {
    const { root, hung = [], resume = NOTHING_DONE } = ask;
    signal.throwIfAborted();
    const warned = new Set<string>();
    const onTooManyRules = (path: string) => {
      if (warned.size === 0) this.#send({ type: "too-many-rules", root, path });
      warned.add(path);
    };
    try {
      return await indexRoot(root, {
        embedder: this.#embedder,
        own: this.#own,
        documents: this.#documents,
        inWork: this.#inWork,
        walk: { without: this.#dataDirectory(), onTooManyRules },
        hung,
        resume,
        signal,
        now: () => Date.now(),
        report: this.#reporter(root),
        checkpoint: (checkpoint) => this.#send({ type: "checkpoint", id, checkpoint }),
        tellFolders: async (folders, sinceMs) => {
          if (ask.tellsFolders) await this.#askEngine({ type: "folders", root, folders, sinceMs });
        },
        release: () => this.#askEngine({ type: "release", root }),
      });
    } finally {
      this.#send({ type: "progress", root, progress: null });
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
      this.#send({ type: "progress", root, progress });
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

  /** Resolves when the engine has done it. */
  async #askEngine(request: EngineRequest): Promise<void> {
    this.#lastAsked += 1;
    const id = this.#lastAsked;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#asked.set(id, resolve);
    this.#send({ ...request, id });
    await promise;
  }

  async #judge({ root, paths }: JudgeAsk, signal: AbortSignal): Promise<Relevance> {
    const folder = findSidecarFolder(root.path);
    const path = folder === undefined ? undefined : join(folder, SIDECAR_FILE);
    // Nothing is indexed yet, or nothing that may be read.
    if (path === undefined || !hasSidecarFile(path) || !this.#own.has(path)) {
      return { isRelevant: true, ignored: [] };
    }
    this.#inWork.turnTo(root.path);
    try {
      using sidecar = openExistingSidecar(path);
      return await judgeChanges(
        {
          root: root.path,
          realRoot: realpathSync.native(root.path),
          sidecar,
          walk: {
            without: this.#dataDirectory(),
            onTooManyRules() {},
            mark: (file) => this.#inWork.enter(root.path, file),
            hasFailed: (file, stats) => findFailure(sidecar, file)?.stamp === currentStamp(stats),
          },
          inWork: this.#inWork,
          slices: new Slices({ sliceMs: INDEX_SLICE_MS, signal }),
        },
        paths,
      );
    } finally {
      await collectGarbage();
    }
  }

  #status(root: RetrievalRoot): IndexedCounts {
    const sidecar = findUsableSidecar(this.#searchDeps(), root);
    if (!sidecar) return NOT_INDEXED;
    const lastIndexedAt = findMeta(sidecar, "indexed_at") ?? null;
    const failedFiles = countFailures(sidecar);
    return { searchable: true, ...countAll(sidecar), failedFiles, lastIndexedAt };
  }

  #failures(root: RetrievalRoot): FailedFile[] {
    const sidecar = findUsableSidecar(this.#searchDeps(), root);
    return sidecar ? listFailedFiles(sidecar) : [];
  }

  #searchDeps(): SearchDeps {
    return {
      embedder: this.#embedder,
      sidecars: this.#sidecars,
      warn: (root, error) => this.#send({ type: "unusable", root, cause: describe(error) }),
      reranker: this.#reranker,
      warnOfReranker: ({ message }) => this.#send({ type: "rerank-failed", reason: message }),
    };
  }

  #send(message: FromWorker): void {
    this.#port.postMessage(message);
  }
}

/** A message that the engine answers with `done`. */
type EngineRequest = Unnumbered<Extract<FromWorker, { type: "folders" | "release" }>>;
type Unnumbered<Message> = Message extends unknown ? Omit<Message, "id"> : never;

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
