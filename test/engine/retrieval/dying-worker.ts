import { parentPort, threadId } from "node:worker_threads";
import type { Ask, ToWorker } from "../../../engine/retrieval/worker-protocol.ts";

// A retrieval thread that dies at an index run, by a fault or by ending, unless the root is called `stays`. It answers all else
// with its own number.
parentPort?.on("message", (message: ToWorker) => {
  if (message.type === "stop") parentPort?.close();
  if (message.type !== "ask") return;
  die(message.ask);
  parentPort?.postMessage({ type: "answer", id: message.id, value: [threadId] });
});

function die(ask: Ask): void {
  if (ask.kind !== "index") return;
  if (ask.root.path === "throw") throw new Error("an uncaught fault");
  if (ask.root.path !== "stays") process.exit(3);
}
