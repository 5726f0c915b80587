import { parentPort, threadId } from "node:worker_threads";
import { serveThread } from "../../../engine/retrieval/thread.ts";
import type { IndexRequest } from "../../../engine/retrieval/worker.ts";

// A retrieval thread that dies at an index run, by a fault or by ending, unless the root is called `stays`. It answers all else
// with its own number.
serveThread({
  stop: () => parentPort?.close(),
  search: () => [threadId],
  index(_call: number, { root }: IndexRequest) {
    if (root.path === "stays") return [threadId];
    if (root.path !== "throw") process.exit(3);
    queueMicrotask(() => {
      throw new Error("an uncaught fault");
    });
    // No reply: one could leave before the thread has ended.
    return new Promise<never>(() => {});
  },
});
