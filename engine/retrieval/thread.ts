import { type MessagePort, parentPort, Worker, type WorkerOptions } from "node:worker_threads";
import { type BirpcReturn, createBirpc } from "birpc";

/** Calls to the functions of another thread. An error arrives as a copy: its message, its stack and its cause. */
export type Calls<Functions extends object> = BirpcReturn<Functions>;

interface ThreadOptions extends WorkerOptions {
  /** Called if the thread ends by itself. Its pending calls reject with this error. */
  onEnd(error: Error): void;
}

/** A thread that does not keep the process alive. */
export class Thread<Functions extends object> {
  readonly calls: Calls<Functions>;
  readonly ended: Promise<void>;
  readonly #worker: Worker;

  /** @param own what the thread may call */
  constructor(program: URL, own: object, { onEnd, ...options }: ThreadOptions) {
    const worker = new Worker(program, options);
    worker.unref();
    this.#worker = worker;
    this.calls = connect(worker, own);
    const end = (error: Error) => {
      if (this.calls.$closed) return;
      this.calls.$close(error);
      onEnd(error);
    };
    worker.on("error", end);
    this.ended = new Promise((resolve) => {
      worker.on("exit", () => {
        end(new Error("The thread ended."));
        resolve();
      });
    });
  }

  /** Neither side is called any more; pending calls reject with the reason. */
  disconnect(reason: Error): void {
    this.calls.$close(reason);
  }

  /** Ends the thread wherever it is. */
  async terminate(reason: Error): Promise<void> {
    this.disconnect(reason);
    await this.#worker.terminate();
  }
}

/** The thread's own side: serves calls of these functions. Returns calls to the program that started it. */
export function serveThread<Functions extends object>(own: object): Calls<Functions> {
  if (!parentPort) throw new Error("This program runs in a thread.");
  return connect(parentPort, own);
}

/** The program of a thread: beside the source that starts it, and under the same name beside the bundle. */
export function threadProgram(name: string, startedBy: string): URL {
  const extension = startedBy.endsWith(".ts") ? "ts" : "mjs";
  return new URL(`./${name}.${extension}`, startedBy);
}

function connect<Functions extends object>(
  port: MessagePort | Worker,
  own: object,
): Calls<Functions> {
  return createBirpc<Functions>(own as Record<string, unknown>, {
    post: (message) => port.postMessage(message),
    // Returns nothing: birpc would await it before the first call, and a close meanwhile would not reject that call.
    on: (listener) => void port.on("message", listener),
    off: (listener) => void port.off("message", listener),
    bind: "functions",
    // The caller decides how long it waits.
    timeout: -1,
  });
}
