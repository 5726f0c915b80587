import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

// The real retrieval thread with faults, each of which never ends. The channel `hanging` reports the next one.
// Opening a file `hangs…`, as a fault in reading might:
const { openSync } = fs;
fs.openSync = (path, ...rest) => {
  if (/\/hangs[^/]*$/.test(String(path))) hang(String(path));
  return openSync(path, ...rest);
};
syncBuiltinESMExports();

// Applying an ignore rule with `stalls` in it:
const { test } = RegExp.prototype;
RegExp.prototype.test = function (text) {
  if (this.source.includes("stalls")) hang("rule");
  return test.call(this, text);
};

await import(import.meta.resolve("../../../engine/retrieval/worker.ts"));

function hang(what: string): void {
  new BroadcastChannel("hanging").postMessage(what);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
