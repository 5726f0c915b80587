import { Worker } from "node:worker_threads";
import type { Logger } from "../../shared/log.ts";
import { conflict, embeddingFailed, invalid } from "../errors.ts";
import type { FailureCode } from "./failures.ts";
import type { Answers, Ask, FromWorker, ToWorker, WorkerSetup } from "./worker-protocol.ts";

/** The options of a thread. */
interface ThreadOptions {
  program: URL;
  /** Called for each thread. */
  setup(): WorkerSetup;
  idleMs: number;
  log: Logger;
  /** Called with messages that are not responses. */
  onNote(note: Note): void;
  /** Called when the thread becomes busy or idle. */
  onBusy?(busy: boolean): void;
}

/** The messages of a thread that are not responses. */
export type Note = Exclude<FromWorker, { type: "answer" | "failure" }>;

interface Waiting {
  ask: Ask;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The engine's side of a thread. The thread starts with the first request and ends when it is idle. */
export class ThreadClient {
  readonly #options: ThreadOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #closed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  async ask<Kind extends Ask["kind"]>(
    ask: Extract<Ask, { kind: Kind }>,
    signal?: AbortSignal,
  ): Promise<Answers[Kind]> {
    if (this.#closed) throw new Error("Retrieval is closed.");
    signal?.throwIfAborted();
    this.#lastId += 1;
    const id = this.#lastId;
    this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { ask, resolve, reject });
    if (this.#waiting.size === 1) this.#options.onBusy?.(true);
    const cancel = () => {
      this.post({ type: "cancel", id });
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    this.post({ type: "ask", id, ask });
    try {
      // The protocol pairs each kind of ask with its answer.
      return (await promise) as Answers[Kind];
    } finally {
      signal?.removeEventListener("abort", cancel);
      if (this.#waiting.delete(id) && this.#waiting.size === 0) this.#options.onBusy?.(false);
      this.#restWhenIdle();
    }
  }

  /** Does nothing when no thread runs. */
  post(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  /** Changes a pending request: a thread that replaces this one receives the changed one. */
  amend(id: number, change: (ask: Ask) => Ask): void {
    const waiting = this.#waiting.get(id);
    if (waiting) waiting.ask = change(waiting.ask);
  }

  /** Terminates a thread that hangs and sends its pending requests to a new one; an error rejects a request instead. */
  replace(change: (ask: Ask) => Ask | Error): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
    for (const [id, waiting] of this.#waiting) {
      const changed = change(waiting.ask);
      if (changed instanceof Error) {
        waiting.reject(changed);
        continue;
      }
      this.#start();
      waiting.ask = changed;
      this.post({ type: "ask", id, ask: changed });
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#stop();
  }

  #start(): void {
    clearTimeout(this.#idle);
    if (this.#worker) return;
    const { program, setup } = this.#options;
    const worker = new Worker(program, { workerData: setup() });
    worker.unref();
    worker.on("message", (message: FromWorker) => {
      if (this.#worker === worker) this.#receive(message);
    });
    worker.on("error", (error) => this.#lose(worker, error));
    worker.on("exit", () => this.#lose(worker, new Error("The retrieval thread ended.")));
    this.#worker = worker;
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case "answer":
        this.#waiting.get(message.id)?.resolve(message.value);
        return;
      case "failure": {
        // A cancelled request is no longer waiting.
        const waiting = this.#waiting.get(message.id);
        if (waiting) this.#options.log.warn({ cause: message.cause }, "Retrieval failed.");
        waiting?.reject(toError(message.code, message.message));
        return;
      }
      default:
        this.#options.onNote(message);
    }
  }

  // Rejects all pending requests; the next request starts a new thread.
  #lose(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    if (!this.#closed && this.#waiting.size > 0) {
      this.#options.log.error({ error }, "The retrieval thread was lost.");
    }
    for (const { reject } of this.#waiting.values()) reject(error);
    if (this.#waiting.size > 0) this.#options.onBusy?.(false);
    this.#waiting.clear();
  }

  #restWhenIdle(): void {
    if (this.#waiting.size > 0 || this.#closed) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#stop(), this.#options.idleMs);
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

// Committed data is safe, so a computation that does not pause can be terminated.
const STOP_MS = 1_000;

function toError(code: FailureCode, message: string): Error {
  switch (code) {
    case "invalid":
      return invalid(message);
    case "conflict":
      return conflict(message);
    case "unavailable":
      return embeddingFailed(message);
    case "internal":
      return new Error(message);
  }
}
