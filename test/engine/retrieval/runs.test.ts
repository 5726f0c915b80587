// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { RagRootStatus } from "../../../engine/retrieval/wire.ts";
import { openRetrieval } from "../../../engine/retrieval/worker-client.ts";
import { silentLogger } from "../../../shared/log.ts";
import { TEST_CONFIG, TEST_HEADERS } from "../../support/engine/engine.ts";
import { expect200, pathsOf } from "../../support/engine/files.ts";
import { startLiveEngine } from "../../support/engine/live.ts";
import { createRag } from "../../support/engine/retrieval.ts";

const WORKER = new URL("./hanging-worker.ts", import.meta.url);
const NO_UUID = "00000000-0000-4000-8000-000000000000";

function hangingRetrieval() {
  return openRetrieval({ config: TEST_CONFIG, log: silentLogger, worker: WORKER });
}

function nextHang(): { hung: Promise<void>; channel: BroadcastChannel } {
  const channel = new BroadcastChannel("hanging");
  const hung = new Promise<void>((resolve) => {
    channel.onmessage = () => resolve();
  });
  return { hung, channel };
}

describe("POST /workspaces/{uuid}/rag/cancel", () => {
  it("ends the runs of its workspace, those that wait included, and no others", async () => {
    await using rag = await createRag([{ "hangs.txt": "x" }], { retrieval: hangingRetrieval() });
    const { engine } = rag;
    const other = await engine.call("POST", "/workspaces", {
      name: "other",
      directories: JSON.stringify(rag.roots),
    });
    const { uuid } = (await other.json()) as { uuid: string };
    const { hung, channel } = nextHang();
    const runs = [rag.call("POST", "/index"), rag.call("POST", "/roots/0/index", "{malformed")];
    const foreign = engine.call("POST", `/workspaces/${uuid}/rag/index`);
    await hung;
    channel.close();
    const cancelled = await rag.call("POST", "/cancel", "not JSON");
    assert.equal(cancelled.status, 202);
    assert.deepEqual(await cancelled.json(), { cancelled: 2 });
    for (const answer of await Promise.all(runs)) {
      assert.equal(answer.status, 409);
      assert.deepEqual(await answer.json(), { error: "The index run was cancelled." });
    }
    assert.deepEqual(await (await rag.call("POST", "/cancel")).json(), { cancelled: 0 });
    const last = await engine.call("POST", `/workspaces/${uuid}/rag/cancel`);
    assert.deepEqual(await last.json(), { cancelled: 1 });
    assert.equal((await foreign).status, 409);
  });

  it("answers 404 for a workspace that does not exist", async () => {
    await using rag = await createRag([]);
    const answer = await rag.engine.call("POST", `/workspaces/${NO_UUID}/rag/cancel`);
    assert.equal(answer.status, 404);
    assert.deepEqual(await answer.json(), { error: "Workspace not found." });
  });
});

describe("An index run", () => {
  it("continues when its client disconnects", async () => {
    await using rag = await createRag([{ "a.txt": "zebra" }]);
    const signals: AbortSignal[] = [];
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: goOn, resolve: release } = Promise.withResolvers<void>();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const { retrieval } = rag.engine.deps;
    const held = {
      ...{ runs: retrieval.runs, [Symbol.asyncDispose]: () => retrieval[Symbol.asyncDispose]() },
      onProgress: (...args: Parameters<typeof retrieval.onProgress>) =>
        retrieval.onProgress(...args),
      async indexRoot(...[root, signal]: Parameters<typeof retrieval.indexRoot>) {
        if (signal) signals.push(signal);
        begin();
        await goOn;
        return await retrieval.indexRoot(root, signal).finally(end);
      },
    };
    await using live = await startLiveEngine({ retrieval: { ...retrieval, ...held } });
    const created = await live.test.call("POST", "/workspaces", {
      name: "w",
      directories: JSON.stringify(rag.roots),
    });
    const { uuid } = (await created.json()) as { uuid: string };
    const client = new AbortController();
    const headers = { Authorization: TEST_HEADERS.Authorization };
    const init = { method: "POST", headers, signal: client.signal };
    const request = fetch(`${live.url}/workspaces/${uuid}/rag/index`, init);
    await begun;
    client.abort();
    await assert.rejects(request);
    release();
    await ended;
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [false],
    );
    assert.deepEqual(pathsOf(await rag.search("zebra")), ["a.txt"]);
  });
});

describe("A deleted root", () => {
  it("is left out of a search on request, and the status has the reason", async () => {
    await using rag = await createRag([{ "a.txt": "zebra" }, { "b.txt": "zebra" }]);
    await expect200(await rag.call("POST", "/index"));
    const [gone = ""] = rag.roots;
    renameSync(gone, `${gone}-away`);
    try {
      const query = "zebra";
      assert.equal((await rag.call("POST", "/search", { query })).status, 400);
      const refused = await rag.call("POST", "/search", { query, skipUnavailableRoots: false });
      const { details } = (await refused.json()) as { details: string };
      assert.ok(details.includes(`${JSON.stringify(gone)} does not exist`), details);
      for (const spelled of ["skipUnavailableRoots", "skip_unavailable_roots"]) {
        const found = await expect200(
          await rag.call("POST", "/search", { query, [spelled]: true }),
        );
        assert.deepEqual(pathsOf(found as Parameters<typeof pathsOf>[0]), ["b.txt"]);
      }
      const bad = await rag.call("POST", "/search", { query, skipUnavailableRoots: "yes" });
      assert.equal(bad.status, 400);
      const status = await expect200<{ roots: RagRootStatus[] }>(await rag.call("GET", "/status"));
      assert.deepEqual(
        status.roots.map(({ problem, searchable }) => [problem, searchable]),
        [
          ["The folder does not exist.", false],
          [null, true],
        ],
      );
    } finally {
      renameSync(`${gone}-away`, gone);
    }
  });

  it("that another folder replaces is not searched in the old index, however often", async () => {
    await using rag = await createRag([{ "a.txt": "zebra" }]);
    await rag.index();
    const [root = ""] = rag.roots;
    assert.deepEqual(pathsOf(await rag.search("zebra")), ["a.txt"]);
    renameSync(root, `${root}-away`);
    try {
      mkdirSync(root);
      assert.deepEqual(pathsOf(await rag.search("zebra")), []);
      writeFileSync(join(root, "b.txt"), "zebra");
      await rag.index();
      assert.deepEqual(pathsOf(await rag.search("zebra")), ["b.txt"]);
    } finally {
      rmSync(`${root}-away`, { recursive: true });
    }
  });

  it("in every workspace root leaves an empty answer", async () => {
    await using rag = await createRag([]);
    const directories = JSON.stringify([join("/", "nowhere", "at-all")]);
    await expect200(
      await rag.engine.call("PUT", `/workspaces/${rag.uuid}`, { name: "w", directories }),
    );
    assert.deepEqual(await rag.search("zebra", { skipUnavailableRoots: true }), []);
  });
});
