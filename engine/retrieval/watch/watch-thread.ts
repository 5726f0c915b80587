import { parentPort } from "node:worker_threads";
import { FolderWatches } from "./folder-watches.ts";
import type { FromWatchThread, ToWatchThread } from "./watch-protocol.ts";

// The program of the thread that watches folders: a storm of changes, or of folders, must not hold the engine's event loop.
const port = parentPort;
const send = (message: FromWatchThread) => port?.postMessage(message);
const watches = new FolderWatches({
  onChanges: (root, changes) => send({ type: "changed", root, changes }),
  onLoss: (root, problem) => send({ type: "lost", root, problem }),
});
port?.on("message", (message: ToWatchThread) => {
  switch (message.type) {
    case "watch":
      send({ type: "watched", id: message.id, problem: watches.watch(message.ask) });
      return;
    case "unwatch":
      watches.unwatch(message.root);
      return;
  }
});
