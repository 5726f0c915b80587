import type { Logger } from "../../shared/log.ts";
import { onAbort } from "../../shared/on-abort.ts";
import { conflict, EngineError, invalid } from "../errors.ts";
import { untilAborted } from "../until-aborted.ts";
import type { FailureCode } from "./failures.ts";
import { type Calls, Thread } from "./thread.ts";
import type { EngineCalls, ThreadFailure, WorkerCalls, WorkerSetup } from "./worker.ts";

interface ThreadClientOptions {
  program: URL;
  /** Called for each thread. */
  setup(): WorkerSetup;
  idleMs: number;
  log: Logger;
  /** The functions that the thread calls. */
  own: EngineCalls;
}

/** Sends a call to a thread, or once more to the one that replaces it; may throw. */
type Send<Result> = (thread: Calls<WorkerCalls>, call: number) => Promise<Result>;

/** A thread that starts with the first call and ends when it is idle. */
export class ThreadClient {
  readonly #options: ThreadClientOptions;
  #thread: Thread<WorkerCalls> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastCall = 0;
  #pending = 0;
  #closed = false;

  constructor(options: ThreadClientOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#thread !== undefined;
  }

  /** @throws EngineError; the signal's reason; an Error if the thread was lost */
  async call<Result>(send: Send<Result>, signal = new AbortController().signal): Promise<Result> {
    if (this.#closed) throw new Error("Retrieval is closed.");
    signal.throwIfAborted();
    this.#lastCall += 1;
    const call = this.#lastCall;
    this.#pending += 1;
    const removeListener = onAbort(signal, () => void this.#thread?.calls.cancel.asEvent(call));
    try {
      return await untilAborted(signal, this.#send(send, call, signal));
    } finally {
      removeListener();
      this.#pending -= 1;
      this.#restWhenIdle();
    }
  }

  /** Terminates a thread that hangs and sends its pending calls to a new one. */
  replace(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    void thread?.terminate(new ThreadReplaced());
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#stop();
  }

  async #send<Result>(send: Send<Result>, call: number, signal: AbortSignal): Promise<Result> {
    for (;;) {
      try {
        return await send(this.#start().calls, call);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof Error)) throw this.#toError(error as ThreadFailure);
        if (!(error instanceof ThreadReplaced)) throw error;
      }
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
        if (this.#pending > 0) log.error({ error }, "The retrieval thread was lost.");
      },
    });
    this.#thread = thread;
    return thread;
  }

  #toError({ code, message, cause }: ThreadFailure): Error {
    this.#options.log.warn({ cause }, "Retrieval failed.");
    return ERRORS[code](message);
  }

  #restWhenIdle(): void {
    if (this.#pending > 0 || this.#closed) return;
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

class ThreadReplaced extends Error {
  override name = "ThreadReplaced";
}

const ERRORS: Readonly<Record<FailureCode, (message: string) => Error>> = {
  invalid,
  conflict,
  unavailable: (message) => new EngineError("embedding", message),
  internal: (message) => new Error(message),
};

// Committed data is safe, so a computation that does not pause can be terminated.
const STOP_MS = 1_000;
