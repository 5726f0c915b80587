// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { RagResult } from "../../../engine/retrieval/wire.ts";
import { temporaryRoot, writeFiles } from "../../support/engine/files.ts";
import { createRag, type Rag } from "../../support/engine/retrieval.ts";
import { createDice, createDocuments, createText, type Dice } from "../../support/random.ts";
import { rounds } from "../../support/repeats.ts";

const EDITS = { once: 2, long: 8 };
const QUERIES = [
  "cache refresh",
  "how does the worker answer",
  "tokens of a session",
  "heading",
  "zzz",
];

type Shown = Omit<RagResult, "chunk_id" | "document_id">;

async function answersOf(rag: Rag, rootIndex: number): Promise<Shown[][]> {
  const answers: Shown[][] = [];
  for (const query of QUERIES) {
    for (const mode of ["keyword", "vector", "hybrid"] as const) {
      const hits = await rag.search(query, { mode, limit: 50 });
      for (const hit of hits) assert.equal(hit.rootIndex, rootIndex);
      answers.push(hits.map(({ chunk_id: _, document_id: __, ...shown }) => shown));
    }
  }
  return answers;
}

async function only(rag: Rag, path: string): Promise<void> {
  const workspace = { name: "w", directories: JSON.stringify([path]) };
  await rag.engine.call("PUT", `/workspaces/${rag.uuid}`, workspace);
}

describe("The same files", () => {
  it("give the same answers byte for byte from two clean indexes", async () => {
    const files = createDocuments(createDice(1), 90);
    await using first = await createRag([files]);
    await using second = await createRag([files]);
    await first.index();
    await second.index();
    for (const query of QUERIES) {
      for (const mode of ["keyword", "vector", "hybrid"] as const) {
        const bodies = [first, second].map(async (rag) => {
          const answer = await rag.call("POST", "/search", { query, mode, limit: 50 });
          return answer.text();
        });
        const [a, b] = await Promise.all(bodies);
        assert.equal(a, b);
      }
    }
  });

  it("give the same answers after any edits as a clean index, vectors included", async () => {
    const dice = createDice(42);
    await using rag = await createRag([createDocuments(dice, 60)]);
    const [root = ""] = rag.roots;
    await rag.index();
    for (const _ of rounds("edits", EDITS)) {
      edit(root, dice);
      await rag.index();
      const incremental = await answersOf(rag, 0);
      const copy = temporaryRoot();
      cpSync(root, copy, { recursive: true, filter: (path) => !path.endsWith(".engine") });
      await only(rag, copy);
      await rag.index();
      const clean = await answersOf(rag, 0);
      await only(rag, root);
      rmSync(copy, { recursive: true });
      assert.deepEqual(incremental, clean);
      assert.ok(clean.some((hits) => hits.length > 10));
    }
  });
});

function edit(root: string, dice: Dice): void {
  for (let i = 0; i < 15; i += 1) {
    const path = `d${i % 7}/f${i}.md`;
    const choice = dice(4);
    if (choice === 0) rmSync(join(root, path), { force: true });
    else if (choice === 1) writeFiles(root, { [path]: createText(dice) });
    else if (choice === 2) writeFiles(root, { [`new/${dice(1000)}.txt`]: createText(dice) });
    else writeFiles(root, { [`secrets/${dice(50)}.md`]: createText(dice) });
  }
}
