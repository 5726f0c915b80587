import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  describeWatchFailure,
  type FolderChanges,
  FolderWatches,
} from "../../../../engine/retrieval/watch/folder-watches.ts";
import { temporaryRoot } from "../../../support/engine/files.ts";
import { machineTimeMs, until } from "../../../support/time.ts";

function createWatches() {
  const reports: FolderChanges[] = [];
  const watches = new FolderWatches({
    onChanges: (_, changes) => void reports.push(changes),
    onWatchLost: (_, problem) => assert.fail(problem),
  });
  const report = (path: string) =>
    until(path, () => reports.some(({ paths }) => paths.includes(path)));
  return { watches, reports, report };
}

describe("Watched folders", () => {
  it("are those that were named, and a link at their place is not followed", async () => {
    const root = temporaryRoot();
    const outside = temporaryRoot();
    const { watches, reports, report } = createWatches();
    try {
      for (const folder of ["one", "two", "three"]) mkdirSync(join(root, folder));
      symlinkSync(outside, join(root, "link"));
      const folders = ["", "one/", "two/", "link/", "gone/"];
      const later = machineTimeMs() + 60_000;
      assert.equal(watches.watch({ root, folders, sinceMs: later }), undefined);
      writeFileSync(join(outside, "a.txt"), "x");
      writeFileSync(join(root, "three/a.txt"), "x");
      writeFileSync(join(root, "one/a.txt"), "x");
      await report("one/a.txt");
      // Another folder at the same path is another folder; the moved one has its new path.
      renameSync(join(root, "one"), join(root, "moved"));
      mkdirSync(join(root, "one"));
      assert.equal(
        watches.watch({ root, folders: ["", "one/", "moved/"], sinceMs: later }),
        undefined,
      );
      writeFileSync(join(root, "two/b.txt"), "x");
      writeFileSync(join(root, "one/b.txt"), "x");
      writeFileSync(join(root, "moved/b.txt"), "x");
      await report("one/b.txt");
      await report("moved/b.txt");
      const paths = reports.flatMap((changes) => changes.paths);
      for (const path of ["three/a.txt", "link/a.txt", "two/b.txt"]) {
        assert.ok(!paths.includes(path), path);
      }
    } finally {
      watches.unwatch(root);
      rmSync(root, { recursive: true });
      rmSync(outside, { recursive: true });
    }
  });

  it("that changed before they were watched are reported", async () => {
    const root = temporaryRoot();
    const { watches, report } = createWatches();
    try {
      mkdirSync(join(root, "new"));
      assert.equal(watches.watch({ root, folders: ["", "new/"], sinceMs: 0 }), undefined);
      await report("new/");
    } finally {
      watches.unwatch(root);
      rmSync(root, { recursive: true });
    }
  });

  it("are at most 25,000 together, and none of a root beyond that", () => {
    const root = temporaryRoot();
    const { watches } = createWatches();
    try {
      const folders = Array.from({ length: 25_001 }, (_, at) => `${at}/`);
      const problem = "The watched roots have more than 25,000 folders together.";
      assert.equal(watches.watch({ root, folders, sinceMs: 0 }), problem);
      const gone = watches.watch({ root: join(root, "gone"), folders: [""], sinceMs: 0 });
      assert.equal(gone, "The system cannot watch the folder: ENOENT.");
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it("that the system refuses have a reason", () => {
    const cases: [string, RegExp][] = [
      ["ENOSPC", /limit of watched folders .*max_user_watches/],
      ["EMFILE", /limit of watchers .*max_user_instances/],
      ["EPERM", /cannot watch the folder: EPERM\.$/],
    ];
    for (const [code, text] of cases) {
      assert.match(describeWatchFailure(Object.assign(new Error("x"), { code })), text);
    }
    assert.match(describeWatchFailure("x"), /unknown failure/);
  });
});
