import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { RagRootIndex } from "../../engine/retrieval/wire.ts";
import { expect200, pathsOf, temporaryRoot, writeFiles } from "../support/engine/files.ts";
import { type EngineProcess, startEngineProcess } from "../support/engine/process.ts";
import { createRag } from "../support/engine/retrieval.ts";
import { createDice, createDocuments } from "../support/random.ts";
import { repeats } from "../support/repeats.ts";
import { pause } from "../support/time.ts";

const BETWEEN_REQUESTS_MS = 5;
const DOCUMENTS = repeats({ once: 250, long: 500 });

async function createWorkspace(engine: EngineProcess, root: string): Promise<string> {
  const body = { name: "w", directories: JSON.stringify([root]) };
  return (await expect200<{ uuid: string }>(await engine.call("POST", "/workspaces", body))).uuid;
}

describe("The engine as a process", () => {
  it("answers /health again and again while it indexes", async () => {
    const root = temporaryRoot();
    writeFiles(root, createDocuments(createDice(11), DOCUMENTS));
    try {
      await using engine = await startEngineProcess();
      const uuid = await createWorkspace(engine, root);
      let over = false;
      const run = engine.call("POST", `/workspaces/${uuid}/rag/index`).finally(() => {
        over = true;
      });
      let answered = 0;
      while (!over) {
        assert.equal((await fetch(`${engine.baseUrl}/health`)).status, 200);
        answered += 1;
        await pause(BETWEEN_REQUESTS_MS);
      }
      const { roots } = await expect200<{ roots: RagRootIndex[] }>(await run);
      assert.equal(roots[0]?.indexed, DOCUMENTS);
      assert.ok(answered > 20, `only ${answered} answers`);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it("stops in order in the middle of an index run, and the next one takes it up", async () => {
    const root = temporaryRoot();
    writeFiles(root, createDocuments(createDice(12), 100));
    try {
      const first = await startEngineProcess();
      const uuid = await createWorkspace(first, root);
      const run = first.call("POST", `/workspaces/${uuid}/rag/index`).then(
        ({ status }) => status,
        () => undefined,
      );
      await first.call("GET", `/workspaces/${uuid}/rag/status`);
      assert.deepEqual(await first.end("SIGTERM"), { code: 0, signal: null });
      await run;
      await first[Symbol.asyncDispose]();
      await using second = await startEngineProcess();
      const again = await createWorkspace(second, root);
      const answer = await second.call("POST", `/workspaces/${again}/rag/index`);
      const { roots } = await expect200<{ roots: RagRootIndex[] }>(answer);
      assert.equal((roots[0]?.indexed ?? 0) + (roots[0]?.unchanged ?? 0), 100);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

describe("A disk that is not mounted", () => {
  it("does not empty the index of what was on it", async (t) => {
    await using rag = await createRag([{ "a.txt": "zebra here" }]);
    const disk = join(rag.roots[0] ?? "", "disk");
    mkdirSync(disk);
    try {
      execFileSync("mount", ["-t", "tmpfs", "none", disk], { stdio: "ignore" });
    } catch {
      t.diagnostic("The account may not mount: nothing to see here.");
      return;
    }
    try {
      writeFiles(disk, { "b.txt": "zebra there", "deep/c.txt": "zebra deep" });
      assert.equal((await rag.index()).indexed, 3);
      rmSync(join(disk, "b.txt"));
      assert.equal((await rag.index()).removed, 1, "while it is mounted, what is gone is gone");
    } finally {
      execFileSync("umount", [disk]);
    }
    const { unchanged, errors, removed } = await rag.index();
    assert.deepEqual([unchanged, errors, removed], [1, 1, 0]);
    const found = pathsOf(await rag.search("zebra", { mode: "keyword" }));
    assert.deepEqual(found.toSorted(), ["a.txt", "disk/deep/c.txt"]);
  });
});
