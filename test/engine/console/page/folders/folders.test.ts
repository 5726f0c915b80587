import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addSample, rateOf } from "../../../../../engine/console/page/folders/index-rate.ts";
import {
  baseName,
  isWatched,
  pathsOf,
  withRootChoice,
} from "../../../../../engine/console/page/folders/roots-config.ts";
import {
  kindOf,
  linesFrom,
  parseLines,
} from "../../../../../engine/console/page/folders/text-lines.ts";

const at = (atMs: number, filesDone: number) => ({ atMs, filesDone });

describe("the speed of an index run", () => {
  const cases = [
    ["nothing yet", [], 100, undefined],
    ["one sample", [at(0, 5)], 100, undefined],
    ["too short to tell", [at(0, 0), at(500, 5)], 100, undefined],
    ["no file since", [at(0, 5), at(4000, 5)], 100, undefined],
    ["half of it", [at(0, 0), at(2000, 50)], 100, { filesPerSecond: 25, leftMs: 2000 }],
    ["total unknown", [at(0, 0), at(2000, 50)], null, { filesPerSecond: 25, leftMs: undefined }],
    ["more than were counted", [at(0, 0), at(2000, 50)], 40, { filesPerSecond: 25, leftMs: 0 }],
  ] as const;
  for (const [name, samples, total, rate] of cases) {
    it(name, () => assert.deepEqual(rateOf(samples, total), rate));
  }

  it("counts the last ten seconds alone", () => {
    const samples = [at(0, 0), at(5_000, 10), at(9_000, 20)];
    assert.deepEqual(
      addSample(samples, at(15_000, 30)).map(({ atMs }) => atMs),
      [5_000, 9_000, 15_000],
    );
  });

  it("begins again with a new run", () => {
    assert.deepEqual(addSample([at(0, 40), at(10, 50)], at(20, 3)), [at(20, 3)]);
  });
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
  it("come in parts that together are the text", () => {
    const text = Array.from({ length: 4500 }, (_, line) => `line ${line}`).join("\n");
    const lines: string[] = [];
    let parts = 0;
    for (let from: number | undefined = 0; from !== undefined; parts += 1) {
      const part = linesFrom(text, from);
      lines.push(...part.lines);
      from = part.nextAt;
    }
    assert.equal(lines.join("\n"), text);
    assert.equal(parts, 3);
  });

  it("are cut where a line has a million characters", () => {
    const part = linesFrom(`${"x".repeat(1_000_000)}\nend`, 0);
    assert.deepEqual([part.lines.length, part.lines[0]?.length, part.lines[1]], [2, 2000, "end"]);
    assert.equal(part.isCut, true);
  });

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
