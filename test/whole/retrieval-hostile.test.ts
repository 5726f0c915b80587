import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { RagResult, RagRootIndex, RagStatus } from "../../engine/retrieval/wire.ts";
import { MIB } from "../../shared/units.ts";
import {
  expect200,
  type Files,
  pathsOf,
  temporaryRoot,
  writeFiles,
} from "../support/engine/files.ts";
import { type EngineProcess, startEngineProcess } from "../support/engine/process.ts";
import {
  blanksTwice,
  docxOfParagraphs,
  endlessText,
  healthyPdf,
  heavyPages,
  nestedForms,
  worstLines,
} from "../support/files/bombs.ts";
import { isLongRun, repeats } from "../support/repeats.ts";
import { pause, until } from "../support/time.ts";

// test/engine/retrieval/linear.test.ts has longer ones.
const LINE_CHARACTERS = repeats({ once: 30_000, long: 150_000 });
// Far above what a search takes on a loaded machine.
const ANSWER_WAIT_MS = 120_000;

/** The first three hold their reader for the 20 s that a document may take, the next two pass its limit of memory. */
const LONG: Record<string, () => Buffer> = {
  "bombs/forms.pdf": nestedForms,
  "bombs/pages.pdf": heavyPages,
  "bombs/text.pdf": endlessText,
  "bombs/blanks.pdf": blanksTwice,
  "bombs/nodes.docx": () => docxOfParagraphs(19 * MIB),
  "bombs/paragraphs.docx": () => docxOfParagraphs(80 * MIB),
};
/** One that has more text than is read: test/engine/retrieval/documents.test.ts has each of the others. */
const QUICK: typeof LONG = { "bombs/paragraphs.docx": () => docxOfParagraphs(21 * MIB) };
const BOMBS = Object.entries(isLongRun ? LONG : QUICK);

/** Every file that once stopped retrieval, and healthy ones before, between and behind them. */
function worstFiles(): Files {
  const lines = Object.entries(worstLines).flatMap(([name, make], at) => [
    [`lines/${at} ${name}.md`, make(LINE_CHARACTERS)],
    [`lines/${at} ${name}.txt`, make(LINE_CHARACTERS)],
  ]);
  return {
    ...Object.fromEntries(lines),
    "a.txt": "zebra",
    "bombs/healthy.pdf": healthyPdf("zebra"),
    "rules/.gitignore": "*a*a*a*a*a*a*b\n".repeat(11_000),
    [`rules/${"a".repeat(200)}.txt`]: "zebra",
    "sparse.txt": "",
    "z.txt": "zebra",
    ...Object.fromEntries(BOMBS.map(([path, make]) => [path, make()])),
  };
}

async function createWorkspace(engine: EngineProcess, root: string): Promise<string> {
  const body = { name: "w", directories: JSON.stringify([root]) };
  return (await expect200<{ uuid: string }>(await engine.call("POST", "/workspaces", body))).uuid;
}

async function search(engine: EngineProcess, uuid: string): Promise<RagResult[]> {
  const answer = await fetch(`${engine.baseUrl}/workspaces/${uuid}/rag/search`, {
    method: "POST",
    headers: { Authorization: `Bearer ${engine.runtime.token}` },
    body: JSON.stringify({ query: "zebra" }),
    signal: AbortSignal.timeout(ANSWER_WAIT_MS),
  });
  return expect200(answer);
}

async function untilReading(engine: EngineProcess, uuid: string): Promise<void> {
  for (;;) {
    const answer = await engine.call("GET", `/workspaces/${uuid}/rag/status`);
    const { roots } = (await answer.json()) as { roots: (typeof RagStatus)["_output"]["roots"] };
    if (roots[0]?.running?.phase === "reading") return;
  }
}

describe("The engine as a process", () => {
  it("indexes a folder of the worst files, and answers searches meanwhile", async () => {
    const bad = temporaryRoot();
    const good = temporaryRoot();
    const files = worstFiles();
    writeFiles(bad, files);
    writeFiles(good, { "b.txt": "zebra" });
    truncateSync(join(bad, "sparse.txt"), 1024 ** 4);
    execFileSync("mkfifo", [join(bad, "fifo.txt")]);
    try {
      await using engine = await startEngineProcess();
      const [badUuid, goodUuid] = [
        await createWorkspace(engine, bad),
        await createWorkspace(engine, good),
      ];
      await expect200(await engine.call("POST", `/workspaces/${goodUuid}/rag/index`));
      let over = false;
      const path = `/workspaces/${badUuid}/rag/index`;
      const run = engine.call("POST", path).finally(() => {
        over = true;
      });
      while (!over) {
        assert.deepEqual(pathsOf(await search(engine, goodUuid)), ["b.txt"]);
        await search(engine, badUuid);
        await pause();
      }
      const { roots } = await expect200<{ roots: RagRootIndex[] }>(await run);
      const all = Object.keys(files).length;
      const [counts] = roots;
      assert.deepEqual([counts?.errors, counts?.skipped], [BOMBS.length, 1]);
      assert.equal((counts?.indexed ?? 0) + BOMBS.length + 1, all);
      const found = new Set(pathsOf(await search(engine, badUuid)));
      for (const path of ["a.txt", "bombs/healthy.pdf", "z.txt"]) assert.ok(found.has(path), path);
      // The next run knows them, and reads none of them again.
      const again = await expect200<{ roots: RagRootIndex[] }>(await engine.call("POST", path));
      assert.deepEqual([again.roots[0]?.errors, again.roots[0]?.indexed], [BOMBS.length, 0]);
      await until("The line of the rules", () => /more than 10,000 rules/.test(engine.stderr()));
    } finally {
      rmSync(bad, { recursive: true });
      rmSync(good, { recursive: true });
    }
  });

  it("ends a run that a bad file holds when that is asked for, and stops in order", async () => {
    const root = temporaryRoot();
    writeFiles(root, { "forms.pdf": nestedForms() });
    try {
      await using engine = await startEngineProcess();
      const uuid = await createWorkspace(engine, root);
      const index = () => engine.call("POST", `/workspaces/${uuid}/rag/index`);
      const cancelled = index();
      await untilReading(engine, uuid);
      const cancel = await engine.call("POST", `/workspaces/${uuid}/rag/cancel`);
      assert.deepEqual([cancel.status, await cancel.json()], [202, { cancelled: 1 }]);
      assert.equal((await cancelled).status, 409);
      const stopped = index().catch(() => undefined);
      await untilReading(engine, uuid);
      assert.deepEqual(await engine.end("SIGTERM"), { code: 0, signal: null });
      await stopped;
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
