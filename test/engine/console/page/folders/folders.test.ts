import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  rateOf,
  type SeenRun,
  seeRun,
} from "../../../../../engine/console/page/folders/index-rate.ts";
import {
  baseName,
  isWatched,
  pathsOf,
  withRootChoice,
} from "../../../../../engine/console/page/folders/roots-config.ts";
import { kindOf, parseLines } from "../../../../../engine/console/page/folders/text-lines.ts";

const at = (atMs: number, filesDone: number) => ({ atMs, filesDone });

describe("the speed of an index run", () => {
  const cases = [
    ["nothing yet", [], 100, undefined],
    ["one look", [at(0, 5)], 100, undefined],
    ["too short to tell", [at(0, 0), at(500, 5)], 100, undefined],
    ["no file since", [at(0, 5), at(4000, 5)], 100, undefined],
    ["half of it", [at(0, 0), at(2000, 50)], 100, { filesPerSecond: 25, leftMs: 2000 }],
    ["total unknown", [at(0, 0), at(2000, 50)], null, { filesPerSecond: 25, leftMs: undefined }],
    ["more than were counted", [at(0, 0), at(2000, 50)], 40, { filesPerSecond: 25, leftMs: 0 }],
    [
      "a new run",
      [at(0, 900), at(1000, 0), at(3000, 20)],
      null,
      { filesPerSecond: 10, leftMs: undefined },
    ],
  ] as const;
  for (const [name, looks, total, rate] of cases) {
    it(name, () => {
      const run = looks.reduce<SeenRun | undefined>(seeRun, undefined);
      assert.deepEqual(rateOf(run, total), rate);
    });
  }
});

describe("the choices for a root", () => {
  it("leave the other roots and unknown fields as they are", () => {
    const config = { roots: [{ path: "/a", enabled: false }, { path: "/b" }], later: 1 };
    assert.deepEqual(withRootChoice(config, "/b", { watch: true }), {
      later: 1,
      roots: [
        { path: "/a", enabled: false },
        { path: "/b", watch: true },
      ],
    });
    assert.deepEqual(withRootChoice(config, "/a", { watch: true }).roots?.at(-1), {
      path: "/a",
      enabled: false,
      watch: true,
    });
  });

  it("replace what is no configuration", () => {
    for (const config of [null, { malformed: "{" }, { roots: 7 as never }]) {
      assert.deepEqual(withRootChoice(config, "/a", { enabled: false }), {
        roots: [{ path: "/a", enabled: false }],
      });
    }
  });

  it("watch only where it says so", () => {
    assert.equal(isWatched({ roots: [{ path: "/a", watch: true }] }, "/a"), true);
    assert.equal(isWatched({ roots: [{ path: "/a", watch: true }] }, "/b"), false);
    assert.equal(isWatched({ malformed: "x" }, "/a"), false);
    assert.equal(isWatched(null, "/a"), false);
  });

  it("name a folder by the last part of its path", () => {
    const paths = ["/home/ada/notes", "/home/ada/notes/", "C:\\Users\\notes", "/"];
    assert.deepEqual(paths.map(baseName), ["notes", "notes", "notes", "/"]);
  });

  it("roots are a list of paths, or none", () => {
    assert.deepEqual(pathsOf({ directories: ["/a", 7 as never, "/b"] }), ["/a", "/b"]);
    assert.deepEqual(pathsOf({ directories: { malformed: "/a" } }), []);
    assert.deepEqual(pathsOf({ directories: null }), []);
  });
});

describe("the lines of a file", () => {
  it("are named by an address, or not", () => {
    assert.deepEqual(parseLines("12-30"), [12, 30]);
    assert.deepEqual(parseLines("7"), [7, 7]);
    for (const text of [undefined, "", "x", "1-", "-3", "1-2-3"]) {
      assert.equal(parseLines(text), undefined);
    }
  });

  it("are shown unless the name is that of a picture", () => {
    assert.equal(kindOf("a/b.PNG"), "image");
    assert.equal(kindOf("a.svg"), "text");
    assert.equal(kindOf("png"), "text");
  });
});
