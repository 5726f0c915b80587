import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import Database from "libsql";

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

// And while the file of the variable `STALLS` is there, storing a file `stalls…` and training on one:
const { prepare } = Database.prototype;
Object.assign(Database.prototype, {
  prepare(this: Database.Database, sql: string) {
    const statement = prepare.call(this, sql);
    const { run, all } = statement;
    const isTraining = sql.startsWith("SELECT path, title, heading, content");
    return Object.assign(statement, {
      run(...values: unknown[]) {
        if (sql.startsWith("INSERT INTO document")) stallAt("commit", values);
        return Reflect.apply(run, statement, values);
      },
      all(...values: unknown[]) {
        const rows: unknown = Reflect.apply(all, statement, values);
        if (isTraining) stallAt("training", rows);
        return rows;
      },
    });
  },
});
await import("../../../engine/retrieval/worker.ts");

function stallAt(work: string, values: unknown): void {
  const isMeant = JSON.stringify(values).includes(`stalls-in-${work}`);
  if (isMeant && fs.existsSync(process.env.STALLS ?? "")) hang(work);
}

function hang(what: string): void {
  new BroadcastChannel("hanging").postMessage(what);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
