import type { MessagePort } from "node:worker_threads";
import { INDEX_PROGRESS_LOG_MS } from "../limits.ts";
import type { Embedding } from "./embedder.ts";
import { RetrievalFailure } from "./failures.ts";
import { indexRoot } from "./index/index-root.ts";
import type { IndexProgress, RetrievalRoot, RootCounts, RootStatus } from "./retrieval.ts";
import { RootLocks } from "./root-locks.ts";
import { OpenSidecars } from "./search/open-sidecars.ts";
import { type SearchDeps, searchRoots, usableSidecar } from "./search/search-roots.ts";
import { countAll } from "./sidecar/meta-store.ts";
import { releaseHandles } from "./sidecar/release-handles.ts";
import type { Ask, FromWorker, ToWorker } from "./worker-protocol.ts";

/** The worker's end of the conversation: asks come in, index runs and searches take turns, answers go out. */
export class WorkerSession {
  readonly #port: MessagePort;
  readonly #embedding: Embedding;
  readonly #locks = new RootLocks();
  readonly #sidecars = new OpenSidecars();
  readonly #running = new Map<number, AbortController>();
  readonly #progress = new Map<string, IndexProgress>();

  constructor(port: MessagePort, embedding: Embedding) {
    this.#port = port;
    this.#embedding = embedding;
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
      case "stop":
        for (const running of this.#running.values()) running.abort();
        this.#sidecars[Symbol.dispose]();
        this.#port.close();
        return;
    }
  }

  async #answer(id: number, ask: Ask): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const value = await this.#carryOut(ask, controller.signal);
      this.#send({ type: "answer", id, value });
    } catch (error) {
      const code = error instanceof RetrievalFailure ? error.code : "internal";
      const message = error instanceof Error ? error.message : "unknown";
      this.#send({ type: "failure", id, code, message, cause: describe(error) });
    } finally {
      this.#running.delete(id);
    }
  }

  #carryOut(ask: Ask, signal: AbortSignal): Promise<unknown> | unknown {
    switch (ask.kind) {
      case "index":
        return this.#locks.run(ask.root.path, () => this.#index(ask.root, signal));
      case "search":
        return searchRoots(this.#searchDeps(), ask.roots, ask.request, signal);
      case "status":
        return ask.roots.map((root) => this.#status(root));
    }
  }

  async #index(root: RetrievalRoot, signal: AbortSignal): Promise<RootCounts> {
    let loggedMs = performance.now();
    const report = (progress: IndexProgress) => {
      this.#progress.set(root.path, progress);
      if (performance.now() - loggedMs < INDEX_PROGRESS_LOG_MS) return;
      loggedMs = performance.now();
      this.#send({ type: "progress", root, progress });
    };
    try {
      return await indexRoot(root, {
        embedding: this.#embedding,
        signal,
        now: () => Date.now(),
        report,
        release: () => this.#sidecars.forget(root.path),
      });
    } finally {
      this.#progress.delete(root.path);
      await releaseHandles();
    }
  }

  #status(root: RetrievalRoot): RootStatus {
    const sidecar = usableSidecar(this.#searchDeps(), root);
    const counts = sidecar ? countAll(sidecar) : { documents: 0, chunks: 0 };
    const running = this.#progress.get(root.path) ?? null;
    return { searchable: sidecar !== undefined, ...counts, running };
  }

  #searchDeps(): SearchDeps {
    return {
      embedding: this.#embedding,
      sidecars: this.#sidecars,
      warn: (root, error) => this.#send({ type: "unusable", root, cause: describe(error) }),
    };
  }

  #send(message: FromWorker): void {
    this.#port.postMessage(message);
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `; ${describe(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
