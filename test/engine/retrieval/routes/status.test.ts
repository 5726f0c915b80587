// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { chmodSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { IndexProgress } from "../../../../engine/retrieval/retrieval.ts";
import { upsertFailure } from "../../../../engine/retrieval/sidecar/failure-store.ts";
import { openSidecar } from "../../../../engine/retrieval/sidecar/sidecar.ts";
import type { RagRootStatus } from "../../../../engine/retrieval/wire.ts";
import { openRetrieval } from "../../../../engine/retrieval/worker-client.ts";
import { silentLogger } from "../../../../shared/log.ts";
import { createTestEngine, TEST_CONFIG } from "../../../support/engine/engine.ts";
import { expect200, withoutSuperuser, writeFiles } from "../../../support/engine/files.ts";
import {
  changeIndex,
  createHangingBench,
  createRag,
  errorOf,
  FILES,
  type Rag,
} from "../../../support/engine/retrieval.ts";
import { machineTimeMs } from "../../../support/time.ts";

interface Failure {
  path: string;
  reason: string;
}

async function statusOf(rag: Rag): Promise<RagRootStatus[]> {
  return (await expect200<{ roots: RagRootStatus[] }>(await rag.call("GET", "/status"))).roots;
}

async function failuresOf(rag: Rag, rootIndex = 0): Promise<Failure[]> {
  return expect200(await rag.call("GET", `/failures?rootIndex=${rootIndex}`));
}

describe("GET /workspaces/{uuid}/rag/status", () => {
  it("has the counts of each root's index, and when it was complete", async () => {
    await using rag = await createRag([FILES, { "b.txt": "x" }]);
    const before = new Date(machineTimeMs()).toISOString();
    await rag.index();
    const [first, second] = await statusOf(rag);
    const unwatched = { watching: false, watchProblem: null };
    const rested = { problem: null, running: null, progress: null, failedFiles: 0 };
    const idle = { enabled: true, ...unwatched, ...rested };
    const { lastIndexedAt, ...rest } = first as RagRootStatus;
    assert.deepEqual(rest, { rootIndex: 0, ...idle, searchable: true, documents: 3, chunks: 3 });
    assert.ok(lastIndexedAt !== null && lastIndexedAt >= before, String(lastIndexedAt));
    const empty = { searchable: false, documents: 0, chunks: 0, lastIndexedAt: null };
    assert.deepEqual(second, { rootIndex: 1, ...idle, ...empty });
  });

  it("has the total of files from the first file of a run on", async () => {
    await using rag = await createRag([FILES]);
    const [path = ""] = rag.roots;
    const heard: IndexProgress[] = [];
    rag.engine.deps.retrieval.onProgress({ rootIndex: 0, path }, (step) => heard.push(step));
    await rag.index();
    const shares = heard.map(({ phase, filesDone, filesTotal }) => [phase, filesDone, filesTotal]);
    assert.deepEqual(shares.slice(0, 3), [
      ["waiting", 0, null],
      ["counting", 0, null],
      ["reading", 0, 3],
    ]);
    assert.deepEqual(shares.at(-1), ["embedding", 3, 3]);
  });

  it("is answered while a run is on, beside a root that is gone", async () => {
    await using bench = await createHangingBench([
      { "a.txt": "x", "hangs.txt": "x", "z.txt": "x" },
    ]);
    await using test = await createTestEngine({ retrieval: bench.retrieval });
    const gone = join("/", "nowhere", "at-all");
    const directories = JSON.stringify([bench.roots[0]?.path, gone]);
    const created = await test.call("POST", "/workspaces", { name: "w", directories });
    const { uuid } = await expect200<{ uuid: string }>(created);
    const hung = bench.hung();
    const run = test.call("POST", `/workspaces/${uuid}/rag/roots/0/index`);
    await hung;
    const answer = await test.call("GET", `/workspaces/${uuid}/rag/status`);
    const { roots } = await expect200<{ roots: RagRootStatus[] }>(answer);
    assert.equal(roots[0]?.progress?.phase, "reading");
    assert.equal(roots[0]?.progress?.filesTotal, 3);
    assert.deepEqual([roots[1]?.problem, roots[1]?.progress], ["The folder does not exist.", null]);
    await test.call("POST", `/workspaces/${uuid}/rag/cancel`);
    assert.equal((await run).status, 409);
  });
});

describe("GET /workspaces/{uuid}/rag/failures", () => {
  it("has each file that could not be read and the reason, until it can be, also for another engine", async () => {
    await using rag = await createRag([{ "a.txt": "x", "sub/bad.pdf": "%PDF-1.7 no more" }, {}]);
    assert.equal((await rag.index()).errors, 1);
    const failures = await failuresOf(rag);
    assert.deepEqual(
      failures.map(({ path }) => path),
      ["sub/bad.pdf"],
    );
    assert.match(failures[0]?.reason ?? "", /^[A-Z].+\.$/);
    assert.equal((await statusOf(rag))[0]?.failedFiles, 1);
    assert.deepEqual(await failuresOf(rag, 1), []);
    const retrieval = openRetrieval({ config: TEST_CONFIG, log: silentLogger });
    await using other = await createTestEngine({ retrieval });
    const directories = JSON.stringify(rag.roots);
    const created = await other.call("POST", "/workspaces", { name: "w", directories });
    const { uuid } = await expect200<{ uuid: string }>(created);
    const again = await other.call("GET", `/workspaces/${uuid}/rag/failures?rootIndex=0`);
    assert.deepEqual(await expect200(again), failures);
    writeFiles(rag.roots[0] ?? "", { "sub/bad.pdf": undefined });
    await rag.index();
    assert.deepEqual(await failuresOf(rag), []);
  });

  it("has what may not be read, and a root that may not be is a problem", async () => {
    await using rag = await createRag([
      { "a.txt": "x", "mine.txt": "x", "mine/b.txt": "x", "mine/c/d.txt": "x" },
      {},
    ]);
    const [root = "", other = ""] = rag.roots;
    chmodSync(root, 0o777);
    await withoutSuperuser(async () => {
      await rag.index();
      assert.deepEqual(await failuresOf(rag), []);
    });
    for (const path of ["mine.txt", "mine"]) chmodSync(join(root, path), 0o000);
    writeFiles(root, { "new.txt": "x" });
    chmodSync(other, 0o000);
    await withoutSuperuser(async () => {
      const { indexed, errors, removed } = await rag.index();
      assert.deepEqual({ indexed, errors, removed }, { indexed: 1, errors: 2, removed: 0 });
      const failures = [
        { path: "mine.txt", reason: "The file cannot be opened or read." },
        { path: "mine/", reason: "The folder cannot be opened or read." },
      ];
      assert.deepEqual(await failuresOf(rag), failures);
      assert.equal((await rag.index()).errors, 2);
      assert.deepEqual(await failuresOf(rag), failures);
      const problems = (await statusOf(rag)).map(({ problem }) => problem);
      assert.deepEqual(problems, [null, "The folder cannot be read: EACCES."]);
      const left = await rag.search("x", { skipUnavailableRoots: true, mode: "keyword" });
      assert.equal(left.length, 5);
    });
    for (const path of ["mine.txt", "mine", ""]) chmodSync(join(root, path), 0o777);
    await withoutSuperuser(async () => {
      assert.equal((await rag.index()).errors, 0);
      assert.deepEqual(await failuresOf(rag), []);
    });
    chmodSync(other, 0o700);
  });

  it("has the first 500 by path, and the status counts all", async () => {
    await using rag = await createRag([FILES]);
    await rag.index();
    const paths = Array.from({ length: 502 }, (_, at) => `f${String(at).padStart(3, "0")}.pdf`);
    changeIndex(rag.roots[0] ?? "", (path) => {
      using sidecar = openSidecar(path);
      sidecar.write(() => {
        const failure = { stamp: null, hash: null, reason: "It is damaged." };
        for (const path of paths.toReversed()) upsertFailure(sidecar, { path, ...failure });
      });
    });
    const listed = (await failuresOf(rag)).map(({ path }) => path);
    assert.deepEqual(listed, paths.slice(0, 500));
    assert.equal((await statusOf(rag))[0]?.failedFiles, 502);
  });

  it("refuses a position that is missing, malformed or of no root, and a root that is gone", async () => {
    await using rag = await createRag([FILES]);
    for (const query of ["", "?rootIndex=", "?rootIndex=x", "?rootIndex=-1", "?rootIndex=1.5"]) {
      assert.equal((await rag.call("GET", `/failures${query}`)).status, 400, query);
    }
    const outside = await errorOf(await rag.call("GET", "/failures?rootIndex=1"));
    const details = "directories[1] does not exist";
    assert.deepEqual(outside, { status: 400, body: { error: "Invalid root.", details } });
    const uuid = crypto.randomUUID();
    const unknown = await rag.engine.call("GET", `/workspaces/${uuid}/rag/failures?rootIndex=0`);
    assert.equal(unknown.status, 404);
    const [root = ""] = rag.roots;
    renameSync(root, `${root}-away`);
    try {
      const { status, body } = await errorOf(await rag.call("GET", "/failures?rootIndex=0"));
      assert.equal(status, 400);
      assert.match(JSON.stringify(body), /does not exist/);
    } finally {
      renameSync(`${root}-away`, root);
    }
  });
});
