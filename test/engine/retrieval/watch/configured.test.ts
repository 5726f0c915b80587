import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { expect200 } from "../../../support/engine/files.ts";
import { createRag, createRetrievalStub } from "../../../support/engine/retrieval.ts";
import { createWatched, createWatcherStub } from "../../../support/engine/watched.ts";
import { until } from "../../../support/time.ts";

const ROOTS_MAX = 64;
const NOTHING = { indexed: 0, unchanged: 0, skipped: 0, errors: 0, removed: 0 };

/** Retrieval that hands the root itself to the watcher. */
function createRetrieval() {
  return createRetrievalStub({
    async indexRoot(_root, _signal, onFolders) {
      await onFolders?.([""], 0);
      return NOTHING;
    },
  });
}

describe("A root is watched", () => {
  it("only where ragConfig says true, and retrieval may use it", async () => {
    const stub = createWatcherStub();
    const overrides = { openWatcher: stub.open, retrieval: createRetrieval() };
    await using watched = await createWatched([{}, {}, {}, {}], overrides);
    const { roots } = watched.rag;
    const [one, two, three, four] = roots;
    assert.deepEqual([...stub.watched.keys()].toSorted(), roots.toSorted());
    await watched.configure([
      { path: one, watch: "true" },
      { path: `${two}/`, watch: true },
      { path: three, watch: true, enabled: false },
      { path: four, watch: 1 },
    ]);
    await until("The change", () => stub.watched.size === 1);
    assert.deepEqual([...stub.watched.keys()], [two]);
    const states = (await watched.status()).map(({ watching }) => watching);
    assert.deepEqual(states, [false, true, false, false]);
    await watched.rag.engine.call("DELETE", `/workspaces/${watched.rag.uuid}`);
    await until("The end", () => stub.watched.size === 0);
  });

  it("from the start on, where it was configured before", async () => {
    const stub = createWatcherStub();
    const overrides = { openWatcher: stub.open, retrieval: createRetrieval() };
    await using rag = await createRag([{}, {}], overrides);
    const directories = JSON.stringify(rag.roots);
    const ragConfig = JSON.stringify({ roots: [{ path: rag.roots[1], watch: true }] });
    const body = { name: "w", directories, ragConfig };
    await expect200(await rag.engine.call("PUT", `/workspaces/${rag.uuid}`, body));
    assert.equal(stub.watched.size, 0);
    rag.engine.engine.resume();
    await until("The watch", () => stub.watched.size === 1);
    assert.deepEqual([...stub.watched.keys()], [rag.roots[1]]);
    await rag.engine.engine.close();
    assert.equal(stub.watched.size, 0);
    assert.equal(rag.engine.deps.clock.pendingTimers, 0);
  });

  it("once for all workspaces that have it, each of which sees its runs and can cancel them", async () => {
    const stub = createWatcherStub();
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    let begun = 0;
    const retrieval = createRetrievalStub({
      async indexRoot(_root, signal, onFolders) {
        begun += 1;
        await onFolders?.([""], 0);
        if (begun === 1) return NOTHING;
        signal?.addEventListener("abort", () => release());
        await hold;
        signal?.throwIfAborted();
        return NOTHING;
      },
    });
    await using watched = await createWatched([{}], { openWatcher: stub.open, retrieval });
    const { rag } = watched;
    const [path = ""] = rag.roots;
    const other = await rag.engine.call("POST", "/workspaces", {
      name: "other",
      directories: JSON.stringify([join(path, "sub"), path]),
      ragConfig: JSON.stringify({ roots: [{ path, watch: true }] }),
    });
    const { uuid } = await expect200<{ uuid: string }>(other);
    await expect200(await rag.engine.call("GET", `/workspaces/${uuid}/rag/status`));
    stub.listener().onChanges(path, { paths: ["a.txt"], isMore: false });
    rag.engine.deps.clock.advance(2_000);
    await until("The second run", () => begun === 2);
    const cancelled = await rag.engine.call("POST", `/workspaces/${uuid}/rag/cancel`);
    assert.deepEqual(await cancelled.json(), { cancelled: 1 });
    await watched.untilRuns(3);
    assert.deepEqual(watched.runs, ["0 completed", "0 cancelled", "other cancelled"]);
  });

  it("as one of at most 64, and the next one has the reason", async () => {
    const stub = createWatcherStub();
    const overrides = { openWatcher: stub.open, retrieval: createRetrieval() };
    await using watched = await createWatched(Array(ROOTS_MAX).fill({}), overrides);
    const [first = "", ...rest] = watched.rag.roots;
    const extra = join(first, "extra");
    const other = await watched.rag.engine.call("POST", "/workspaces", {
      name: "other",
      directories: JSON.stringify([extra]),
      ragConfig: JSON.stringify({ roots: [{ path: extra, watch: true }] }),
    });
    const { uuid } = await expect200<{ uuid: string }>(other);
    const problem = async () => {
      const answer = await watched.rag.engine.call("GET", `/workspaces/${uuid}/rag/status`);
      const { roots } = await expect200<{ roots: { watchProblem: string | null }[] }>(answer);
      return roots[0]?.watchProblem;
    };
    const text = "At most 64 roots are watched; this one is not.";
    await until("The refusal", async () => (await problem()) === text);
    await watched.configure(rest.map((path) => ({ path, watch: true })));
    await until("The room", async () => (await problem()) === null);
  });
});
