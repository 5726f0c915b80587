import type { Logger } from "../../shared/log.ts";
import { onAbort } from "../../shared/on-abort.ts";
import { conflict, EngineError, invalid } from "../errors.ts";
import { type Calls, Thread } from "./thread.ts";
import type { EngineCalls, ThreadFailure, WorkerCalls, WorkerSetup } from "./worker-calls.ts";

interface ThreadClientOptions {
  program: URL;
  /** Called for each thread. */
  setup(): WorkerSetup;
  idleMs: number;
  log: Logger;
  /** The functions that the thread calls. */
  own: EngineCalls;
  /** Called when the thread becomes busy or idle. */
  onBusy?(busy: boolean): void;
}

/** Sends a call to a thread, or once more to the one that replaces it; may throw. */
type Send<Result> = (thread: Calls<WorkerCalls>, call: number) => Promise<Result>;

interface Pending {
  send: Send<unknown>;
  thread?: Thread<WorkerCalls>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** A thread that starts with the first call and ends when it is idle. */
export class ThreadClient {
  readonly #options: ThreadClientOptions;
  readonly #pending = new Map<number, Pending>();
  #thread: Thread<WorkerCalls> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastCall = 0;
  #closed = false;

  constructor(options: ThreadClientOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#thread !== undefined;
  }

  /** @throws EngineError; the signal's reason; an Error if the thread was lost */
  async call<Result>(send: Send<Result>, signal?: AbortSignal): Promise<Result> {
    if (this.#closed) throw new Error("Retrieval is closed.");
    signal?.throwIfAborted();
    this.#lastCall += 1;
    const call = this.#lastCall;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const pending: Pending = { send, resolve, reject };
    this.#pending.set(call, pending);
    if (this.#pending.size === 1) this.#options.onBusy?.(true);
    const removeListener =
      signal &&
      onAbort(signal, () => {
        void this.#thread?.calls.cancel.asEvent(call);
        reject(signal.reason);
      });
    void this.#send(call, pending);
    try {
      return (await promise) as Result;
    } finally {
      removeListener?.();
      this.#pending.delete(call);
      if (this.#pending.size === 0) this.#options.onBusy?.(false);
      this.#restWhenIdle();
    }
  }

  /** Terminates a thread that hangs and sends its pending calls to a new one. */
  replace(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    for (const [call, pending] of this.#pending) void this.#send(call, pending);
    void thread?.terminate(new Error("The thread was replaced."));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#stop();
  }

  async #send(call: number, pending: Pending): Promise<void> {
    const thread = this.#start();
    pending.thread = thread;
    try {
      pending.resolve(await pending.send(thread.calls, call));
    } catch (error) {
      // A replaced thread fails calls that are with another one.
      if (pending.thread === thread) pending.reject(this.#toError(call, error));
    }
  }

  #start(): Thread<WorkerCalls> {
    clearTimeout(this.#idle);
    if (this.#thread) return this.#thread;
    const { program, setup, own, log } = this.#options;
    const thread = new Thread<WorkerCalls>(program, own, {
      workerData: setup(),
      onEnd: (error) => {
        this.#thread = undefined;
        if (this.#pending.size > 0) log.error({ error }, "The retrieval thread was lost.");
      },
    });
    this.#thread = thread;
    return thread;
  }

  #toError(call: number, error: unknown): unknown {
    if (error instanceof Error) return error;
    const { code, message, cause } = error as ThreadFailure;
    // A cancelled call is not pending any more.
    if (this.#pending.has(call)) this.#options.log.warn({ cause }, "Retrieval failed.");
    switch (code) {
      case "invalid":
        return invalid(message);
      case "conflict":
        return conflict(message);
      case "unavailable":
        return new EngineError("embedding", message);
      case "internal":
        return new Error(message);
    }
  }

  #restWhenIdle(): void {
    if (this.#pending.size > 0 || this.#closed) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#stop(), this.#options.idleMs);
    this.#idle.unref();
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    if (!thread) return;
    this.#thread = undefined;
    void thread.calls.stop.asEvent();
    thread.disconnect(new Error("Retrieval was closed."));
    const timer = setTimeout(() => void thread.terminate(new Error("It did not stop.")), STOP_MS);
    await thread.ended;
    clearTimeout(timer);
  }
}

// Committed data is safe, so a computation that does not pause can be terminated.
const STOP_MS = 1_000;
