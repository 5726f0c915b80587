import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

// The real retrieval thread, but for files called `hangs…`: opening one never ends, as a fault in reading might. The channel
// `hanging` says when that happens.
const { openSync } = fs;
fs.openSync = (path, ...rest) => {
  if (/\/hangs[^/]*$/.test(String(path))) hang(String(path));
  return openSync(path, ...rest);
};
syncBuiltinESMExports();
await import("../../../engine/retrieval/worker.ts");

function hang(path: string): void {
  new BroadcastChannel("hanging").postMessage(path);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
