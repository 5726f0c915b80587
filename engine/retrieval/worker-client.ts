import { Worker } from "node:worker_threads";
import type { Logger } from "../../shared/log.ts";
import type { EmbeddingsConfig } from "../config.ts";
import { conflict, embeddingFailed, invalid } from "../errors.ts";
import { RETRIEVAL_IDLE_MS } from "../limits.ts";
import type { FailureCode } from "./failures.ts";
import type {
  Hit,
  Retrieval,
  RetrievalRoot,
  RootCounts,
  RootStatus,
  SearchRequest,
} from "./retrieval.ts";
import type { Answers, Ask, FromWorker, ToWorker, WorkerSetup } from "./worker-protocol.ts";

/** What the worker's client needs from the engine. */
export interface RetrievalDeps {
  config: { embeddings: EmbeddingsConfig };
  log: Logger;
  /** The thread's program; tests hand in one that dies. */
  worker?: URL;
}

/** Retrieval in a thread of its own, which starts with the first call and does not keep the process alive. */
export function openRetrieval(deps: RetrievalDeps): Retrieval {
  return new WorkerClient(deps);
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

class WorkerClient implements Retrieval {
  readonly #deps: RetrievalDeps;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #closed = false;

  constructor(deps: RetrievalDeps) {
    this.#deps = deps;
  }

  indexRoot(root: RetrievalRoot, signal?: AbortSignal): Promise<RootCounts> {
    return this.#ask({ kind: "index", root }, signal);
  }

  search(
    roots: readonly RetrievalRoot[],
    request: SearchRequest,
    signal?: AbortSignal,
  ): Promise<Hit[]> {
    return this.#ask({ kind: "search", roots, request }, signal);
  }

  status(roots: readonly RetrievalRoot[]): Promise<RootStatus[]> {
    return this.#ask({ kind: "status", roots });
  }

  /** Index runs end at their next pause; what they committed stays. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#stop();
  }

  async #ask<Kind extends Ask["kind"]>(
    ask: Extract<Ask, { kind: Kind }>,
    signal?: AbortSignal,
  ): Promise<Answers[Kind]> {
    if (this.#closed) throw new Error("Retrieval is closed.");
    signal?.throwIfAborted();
    const id = ++this.#lastId;
    const worker = this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    const cancel = () => {
      worker.postMessage({ type: "cancel", id } satisfies ToWorker);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    worker.postMessage({ type: "ask", id, ask } satisfies ToWorker);
    try {
      // The protocol pairs each kind of ask with its answer.
      return (await promise) as Answers[Kind];
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#waiting.delete(id);
      this.#restWhenIdle();
    }
  }

  #start(): Worker {
    clearTimeout(this.#idle);
    if (this.#worker) return this.#worker;
    const workerData: WorkerSetup = { embeddings: this.#deps.config.embeddings };
    const program = this.#deps.worker ?? new URL("./worker.ts", import.meta.url);
    const worker = new Worker(program, { workerData });
    worker.unref();
    worker.on("message", (message: FromWorker) => this.#receive(message));
    worker.on("error", (error) => this.#lose(worker, error));
    worker.on("exit", () => this.#lose(worker, new Error("The retrieval thread ended.")));
    this.#worker = worker;
    return worker;
  }

  #receive(message: FromWorker): void {
    const { log } = this.#deps;
    // Nobody waits for what was cancelled.
    if ("id" in message && !this.#waiting.has(message.id)) return;
    switch (message.type) {
      case "answer":
        this.#waiting.get(message.id)?.resolve(message.value);
        return;
      case "failure":
        log.warn({ cause: message.cause }, "Retrieval failed.");
        this.#waiting.get(message.id)?.reject(toError(message.code, message.message));
        return;
      case "progress":
        log.info({ root: message.root.path, ...message.progress }, "Indexing goes on.");
        return;
      case "unusable":
        log.warn({ root: message.root.path, cause: message.cause }, "An index was skipped.");
        return;
    }
  }

  // Whoever waits is told; the next call starts a new thread.
  #lose(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    if (!this.#closed && this.#waiting.size > 0) {
      this.#deps.log.error({ error }, "The retrieval thread was lost.");
    }
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #restWhenIdle(): void {
    if (this.#waiting.size > 0 || this.#closed) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#stop(), RETRIEVAL_IDLE_MS);
    this.#idle.unref();
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (!worker) return;
    this.#lose(worker, new Error("Retrieval was closed."));
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    worker.postMessage({ type: "stop" } satisfies ToWorker);
    const timer = setTimeout(() => void worker.terminate(), STOP_MS);
    await ended;
    clearTimeout(timer);
  }
}

// What is committed is safe, so a computation that does not pause may be cut off.
const STOP_MS = 1_000;

function toError(code: FailureCode, message: string): Error {
  switch (code) {
    case "invalid":
      return invalid(message);
    case "conflict":
      return conflict(message);
    case "embedding":
      return embeddingFailed(message);
    case "internal":
      return new Error(message);
  }
}
