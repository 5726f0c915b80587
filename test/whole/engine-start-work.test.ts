import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, describe, it } from "node:test";
import { ROOT } from "../house/sources.ts";
import { startEngineProcess } from "../support/engine/process.ts";

// What a start costs is counted: files that it loads, and parts of Node that it must not touch.

const ANY = /"\.\/([\w-]+\.mjs)"/g;
// The first number with separators loads the locales: 20 ms and 6 MiB.
const WITHOUT_LOCALES = `
  const refuse = () => { throw new Error("A start needs no locale."); };
  for (const type of [Number, BigInt, Date, Array]) type.prototype.toLocaleString = refuse;
  for (const name of Object.getOwnPropertyNames(Intl)) {
    if (typeof Intl[name] === "function") Intl[name] = refuse;
  }
  String.prototype.localeCompare = refuse;
`;

describe("the engine's own bundle", () => {
  let folder: string;
  let main: string;

  before(async () => {
    // A start makes the bundle where there is none.
    await using _engine = await startEngineProcess();
    ({ main } = JSON.parse(readFileSync(`${ROOT}.build/engine/bundle.json`, "utf8")));
    folder = join(ROOT, dirname(main));
  });

  const list = (name: string, pattern: RegExp) =>
    [...readFileSync(join(folder, name), "utf8").matchAll(pattern)].map(([, named = ""]) => named);

  it("has every file that its files name", () => {
    for (const name of readdirSync(folder)) {
      for (const named of list(name, ANY)) {
        assert.ok(existsSync(join(folder, named)), `${name} names ${named}`);
      }
    }
  });

  it("has every module once: an error of the start is known to what is loaded later", () => {
    const holders = readdirSync(folder).filter((name) =>
      readFileSync(join(folder, name), "utf8").includes('"UserFacingError"'),
    );
    const threads = readdirSync(folder).filter((name) => /^(worker|.*-thread)\.mjs$/.test(name));
    const sharedWithThreads = new Set(threads.flatMap((name) => [name, ...list(name, ANY)]));
    assert.equal(holders.filter((name) => !sharedWithThreads.has(name)).length, 1);
  });
});

it("a start uses no locale", async () => {
  const preload = `--import=data:text/javascript,${encodeURIComponent(WITHOUT_LOCALES)}`;
  await using engine = await startEngineProcess({ env: { NODE_OPTIONS: preload } });
  assert.equal((await engine.call("GET", "/health")).status, 200);
});
