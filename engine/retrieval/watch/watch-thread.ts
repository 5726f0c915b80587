import { serveThread } from "../thread.ts";
import { FolderWatches, type WatchListener } from "./folder-watches.ts";

// The program of the thread that watches folders: a storm of changes, or of folders, must not hold the engine's event loop.
const watches: FolderWatches = new FolderWatches({
  onChanges: (root, changes) => void engine.onChanges.asEvent(root, changes),
  onWatchLost: (root, problem) => void engine.onWatchLost.asEvent(root, problem),
});
const engine = serveThread<WatchListener>(watches);
