// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createBuiltinEmbedder } from "../../../engine/retrieval/embedders/builtin/builtin-embedder.ts";
import { OpenSidecars } from "../../../engine/retrieval/search/open-sidecars.ts";
import { makeSidecarFile, makeSidecarFolder } from "../../../engine/retrieval/sidecar/folder.ts";
import { OwnIndexes } from "../../../engine/retrieval/sidecar/own-indexes.ts";
import { openSidecar } from "../../../engine/retrieval/sidecar/sidecar.ts";
import { collectGarbage } from "../../../shared/node/collect-garbage.ts";
import { TEST_CONFIG } from "../../support/engine/engine.ts";
import { temporaryRoot } from "../../support/engine/files.ts";
import { changeIndex, createRag } from "../../support/engine/retrieval.ts";

function isOpen(root: string): boolean | undefined {
  if (!existsSync("/proc/self/fd")) return undefined;
  const targets = readdirSync("/proc/self/fd").map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return "";
    }
  });
  return targets.some((target) => target.startsWith(join(root, ".engine/sidecar.db")));
}

describe("An index that search has open", () => {
  it("is closed after five idle seconds, and reopened when needed", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const root = temporaryRoot();
    try {
      const path = join(makeSidecarFolder(root), "sidecar.db");
      makeSidecarFile(path);
      changeIndex(root, (path) => openSidecar(path)[Symbol.dispose]());
      const own = new OwnIndexes(TEST_CONFIG.dataDirectory);
      using sidecars = new OpenSidecars(createBuiltinEmbedder(), own);
      const first = sidecars.find(root);
      assert.equal(sidecars.find(root), first, "it stays open while it is used");
      assert.notEqual(isOpen(root), false);
      t.mock.timers.tick(5_000);
      await collectGarbage();
      assert.notEqual(isOpen(root), true);
      assert.notEqual(sidecars.find(root), first);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it("is not held by an index run that is over", async () => {
    await using rag = await createRag([{ "a.txt": "zebra" }]);
    await rag.index();
    assert.notEqual(isOpen(rag.roots[0] ?? ""), true);
    await rag.search("zebra");
    assert.notEqual(isOpen(rag.roots[0] ?? ""), false);
  });

  it("overwrites deleted content, and never leaves a write-ahead log in the user's folder", () => {
    const root = temporaryRoot();
    try {
      const path = join(makeSidecarFolder(root), "sidecar.db");
      makeSidecarFile(path);
      using sidecar = openSidecar(path);
      assert.deepEqual(sidecar.get("PRAGMA secure_delete"), [1]);
      assert.deepEqual(sidecar.get("PRAGMA journal_mode"), ["delete"]);
      assert.deepEqual(sidecar.get("PRAGMA foreign_keys"), [1]);
      assert.deepEqual(readdirSync(join(root, ".engine")).toSorted(), [".gitignore", "sidecar.db"]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
