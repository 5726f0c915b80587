// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { makeSidecarFolder } from "../../../engine/retrieval/sidecar/folder.ts";
import { holdRunLock } from "../../../engine/retrieval/sidecar/locks.ts";
import { openRetrieval } from "../../../engine/retrieval/worker-client.ts";
import { silentLogger } from "../../../shared/log.ts";
import { TEST_CONFIG } from "../../support/engine/engine.ts";
import { temporaryRoot, writeFiles } from "../../support/engine/files.ts";
import { createRag } from "../../support/engine/retrieval.ts";
import { createDice, createDocuments } from "../../support/random.ts";
import { until } from "../../support/time.ts";

const DYING = new URL("./dying-worker.ts", import.meta.url);
const config = TEST_CONFIG;
type Status = { roots: { running: { phase: string } | null }[] };
const request = { query: "x", mode: "keyword" as const, limit: 1 };

describe("The retrieval thread", () => {
  it("that dies rejects the pending requests, and the next call starts a new one", async () => {
    await using retrieval = openRetrieval({ config, log: silentLogger, worker: DYING });
    const searcher = await retrieval.search([], request);
    const before = await retrieval.indexRoot({ rootIndex: 0, path: "stays" });
    for (const path of ["throw", "exit"]) {
      const index = retrieval.indexRoot({ rootIndex: 0, path });
      const status = retrieval.indexRoot({ rootIndex: 1, path });
      await assert.rejects(index, /fault|ended/);
      await assert.rejects(status, /fault|ended/);
    }
    assert.notDeepEqual(await retrieval.indexRoot({ rootIndex: 0, path: "stays" }), before);
    assert.deepEqual(await retrieval.search([], request), searcher);
  });

  it("that dies in a request is a 500 without its reason, and the engine continues", async () => {
    const retrieval = openRetrieval({ config, log: silentLogger, worker: DYING });
    await using rag = await createRag([{ "a.txt": "x" }], { retrieval });
    const answer = await rag.call("POST", "/index");
    assert.equal(answer.status, 500);
    assert.deepEqual(await answer.json(), { error: "Internal server error." });
    assert.equal((await rag.engine.call("GET", "/health")).status, 200);
  });

  it("ends runs when retrieval is closed, and keeps their commits", async () => {
    const root = temporaryRoot();
    writeFiles(root, createDocuments(createDice(9), 400));
    try {
      const retrieval = openRetrieval({ config, log: silentLogger });
      const running = retrieval.indexRoot({ rootIndex: 0, path: root });
      const refused = assert.rejects(running, /closed/);
      await retrieval[Symbol.asyncDispose]();
      await refused;
      await assert.rejects(retrieval.search([], request), /closed/);
      await using next = openRetrieval({ config, log: silentLogger });
      const { indexed, unchanged } = await next.indexRoot({ rootIndex: 0, path: root });
      assert.equal(indexed + unchanged, 400);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it("ends a run whose signal is aborted, and starts the next", async () => {
    const root = temporaryRoot();
    writeFiles(root, createDocuments(createDice(13), 300));
    try {
      await using retrieval = openRetrieval({ config, log: silentLogger });
      await retrieval.status([]);
      const controller = new AbortController();
      const running = retrieval.indexRoot({ rootIndex: 0, path: root }, controller.signal);
      const waiting = retrieval.indexRoot({ rootIndex: 0, path: root });
      controller.abort(new Error("enough"));
      await assert.rejects(running, /enough/);
      const { indexed, unchanged } = await waiting;
      assert.equal(indexed + unchanged, 300);
      const aborted = AbortSignal.abort(new Error("never begun"));
      await assert.rejects(retrieval.search([], request, aborted), /never begun/);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it("answers searches and status while it indexes, and runs on one root wait for each other", async () => {
    await using rag = await createRag([createDocuments(createDice(10), 300), { "b.txt": "zebra" }]);
    await rag.index(1);
    // The thread that searches starts with the first search.
    await rag.search("zebra");
    // As another engine would: the first run waits here, and the others behind it.
    const folder = makeSidecarFolder(rag.roots[0] as string);
    const held = await holdRunLock(folder, { signal: new AbortController().signal, nowMs: 0 });
    const runs = Promise.all([rag.index(0), rag.index(0), rag.index(0)]);
    const phase = async () => {
      const { roots } = (await (await rag.call("GET", "/status")).json()) as Status;
      return roots[0]?.running?.phase;
    };
    assert.equal(await until("The first run", phase), "waiting");
    const hits = await rag.search("zebra", { mode: "keyword" });
    assert.deepEqual(
      hits.map(({ rootIndex }) => rootIndex),
      [1],
    );
    held[Symbol.dispose]();
    const counts = await runs;
    // Three requests at once reach the lock in any order: one of them indexes everything, and the others find nothing to do.
    const outcomes = counts.map(({ indexed, unchanged }) => ({ indexed, unchanged }));
    assert.deepEqual(
      outcomes.sort((one, other) => other.indexed - one.indexed),
      [
        { indexed: 300, unchanged: 0 },
        { indexed: 0, unchanged: 300 },
        { indexed: 0, unchanged: 300 },
      ],
    );
    assert.equal(await phase(), undefined);
  });

  it("is not started by looking at a workspace without roots", async () => {
    const nowhere = new URL("./there-is-no-such-worker.ts", import.meta.url);
    const retrieval = openRetrieval({ config, log: silentLogger, worker: nowhere });
    await using rag = await createRag([], { retrieval });
    assert.deepEqual(await rag.search("x"), []);
    assert.deepEqual(await (await rag.call("POST", "/index")).json(), { roots: [] });
    assert.deepEqual(await (await rag.call("GET", "/status")).json(), { roots: [] });
    const root = realpathSync(mkdtempSync(join(tmpdir(), "roundhouse-rag-")));
    await assert.rejects(retrieval.indexRoot({ rootIndex: 0, path: root }));
    rmSync(root, { recursive: true });
  });
});
