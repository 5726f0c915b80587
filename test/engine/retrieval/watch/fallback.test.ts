// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { EngineError } from "../../../../engine/errors.ts";
import { type Logger, silentLogger } from "../../../../shared/log.ts";
import { createRetrievalStub } from "../../../support/engine/retrieval.ts";
import { createWatched, createWatcherStub } from "../../../support/engine/watched.ts";

const WALK_MS = 5 * 60_000;
const QUIET_MS = 2_000;

function listeningLog(): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  return { lines, log: { ...silentLogger, warn: (_, message) => void lines.push(message) } };
}

describe("A root that cannot be watched", () => {
  it("is walked every 5 minutes, and says so in its status and in one log line", async () => {
    const stub = createWatcherStub("The system watches nothing.");
    const { log, lines } = listeningLog();
    const files = [{ "a.txt": "zebra", "sub/b.txt": "zebra" }];
    await using watched = await createWatched(files, { openWatcher: stub.open, log });
    const { rag } = watched;
    const [root = ""] = rag.roots;
    const { clock } = rag.engine.deps;
    for (const round of [2, 3]) {
      const [{ problem, watching, watchProblem } = {}] = await watched.status();
      assert.deepEqual({ problem, watching, watchProblem }, problemOf(stub.problem));
      writeFileSync(join(root, "new.txt"), `okapi${round}`);
      clock.advance(WALK_MS);
      await watched.untilRuns(round);
      const [found] = await rag.search(`okapi${round}`, { mode: "keyword" });
      assert.equal(found?.path, "new.txt");
    }
    assert.deepEqual(lines, ["A root cannot be watched; it is walked every 5 minutes."]);
    stub.problem = undefined;
    clock.advance(WALK_MS);
    await watched.untilRuns(4);
    assert.deepEqual(stub.watched.get(root), ["", "sub/"]);
    const [{ watching, watchProblem } = {}] = await watched.status();
    assert.deepEqual({ watching, watchProblem }, { watching: true, watchProblem: null });
    clock.advance(WALK_MS);
    clock.advance(WALK_MS);
    stub.listener().onChanges(root, { paths: ["a.txt"], isMore: false });
    clock.advance(QUIET_MS);
    await watched.untilRuns(5);
    assert.equal(watched.runs.length, 5);
  });

  it("any more is tried again with the next walk", async () => {
    const stub = createWatcherStub();
    const retrieval = createRetrievalStub({ indexRoot: indexAll });
    await using watched = await createWatched([{}], { openWatcher: stub.open, retrieval });
    const [root = ""] = watched.rag.roots;
    stub.listener().onWatchLost(root, "It broke.");
    assert.equal((await watched.status())[0]?.watchProblem, "It broke.");
    watched.rag.engine.deps.clock.advance(WALK_MS);
    await watched.untilRuns(2);
    assert.equal((await watched.status())[0]?.watching, true);
  });
});

describe("A watched root whose run fails", () => {
  it("says so once, and is tried again after 5 minutes", async () => {
    let failure: Error | undefined = new EngineError("embedding", "No embeddings.");
    const { log, lines } = listeningLog();
    const retrieval = createRetrievalStub({
      async indexRoot(...args) {
        if (failure) throw failure;
        return indexAll(...args);
      },
    });
    const openWatcher = createWatcherStub().open;
    await using watched = await createWatched([{}], { openWatcher, retrieval, log });
    const { clock } = watched.rag.engine.deps;
    clock.advance(WALK_MS);
    await watched.untilRuns(2);
    assert.equal((await watched.status())[0]?.watchProblem, "No embeddings.");
    assert.deepEqual(lines, ["A watched root could not be indexed."]);
    failure = undefined;
    clock.advance(WALK_MS);
    await watched.untilRuns(3);
    assert.deepEqual(watched.runs, ["0 failed", "0 failed", "0 completed"]);
    const [{ watching, watchProblem } = {}] = await watched.status();
    assert.deepEqual({ watching, watchProblem }, { watching: true, watchProblem: null });
  });
});

function problemOf(watchProblem: string | undefined) {
  return { problem: null, watching: false, watchProblem };
}

type IndexArguments = Parameters<ReturnType<typeof createRetrievalStub>["indexRoot"]>;

async function indexAll(...[, , onFolders]: IndexArguments) {
  await onFolders?.([""], 0);
  return { indexed: 0, unchanged: 0, skipped: 0, errors: 0, removed: 0 };
}
