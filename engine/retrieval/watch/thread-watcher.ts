import { Worker } from "node:worker_threads";
import { threadProgram } from "../thread-program.ts";
import { WATCH_THREAD_LOST } from "./watch-problems.ts";
import type { FromWatchThread, ToWatchThread } from "./watch-protocol.ts";
import type { WatchAsk, Watcher, WatchListener } from "./watcher.ts";

/** A watcher in a thread that starts with the first root and ends with the last. */
export function openThreadWatcher(listener: WatchListener): Watcher {
  return new ThreadWatcher(listener);
}

class ThreadWatcher implements Watcher {
  readonly #listener: WatchListener;
  readonly #roots = new Set<string>();
  readonly #waiting = new Map<number, (problem: string | undefined) => void>();
  #worker: Worker | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #lastId = 0;

  constructor(listener: WatchListener) {
    this.#listener = listener;
  }

  watch(ask: WatchAsk): Promise<string | undefined> {
    this.#roots.add(ask.root);
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#waiting.set(id, resolve);
    this.#worker ??= this.#start();
    this.#send({ type: "watch", id, ask });
    return promise;
  }

  unwatch(root: string): void {
    if (!this.#roots.delete(root)) return;
    this.#send({ type: "unwatch", root });
    if (this.#roots.size === 0) void this.close();
  }

  /** Ends the thread, and with it every watch. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#roots.clear();
    this.#settle();
    if (worker) this.#ended = worker.terminate();
    await this.#ended;
  }

  #start(): Worker {
    const worker = new Worker(threadProgram("watch-thread", import.meta.url));
    worker.unref();
    worker.on("message", (message: FromWatchThread) => {
      if (this.#worker === worker) this.#receive(message);
    });
    worker.on("error", () => this.#lose(worker));
    worker.on("exit", () => this.#lose(worker));
    return worker;
  }

  #receive(message: FromWatchThread): void {
    switch (message.type) {
      case "watched":
        this.#waiting.get(message.id)?.(message.problem);
        this.#waiting.delete(message.id);
        return;
      case "changed":
        if (this.#roots.has(message.root)) this.#listener.onChanges(message.root, message.changes);
        return;
      case "lost":
        if (this.#roots.has(message.root)) this.#listener.onLoss(message.root, message.problem);
        return;
    }
  }

  #lose(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const lost = [...this.#roots];
    this.#roots.clear();
    this.#settle();
    for (const root of lost) this.#listener.onLoss(root, WATCH_THREAD_LOST);
  }

  #settle(): void {
    for (const resolve of this.#waiting.values()) resolve(WATCH_THREAD_LOST);
    this.#waiting.clear();
  }

  #send(message: ToWatchThread): void {
    this.#worker?.postMessage(message);
  }
}
