import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { expect200 } from "../../support/engine/files.ts";
import { createRag, createRetrievalStub } from "../../support/engine/retrieval.ts";

describe("The roots of a workspace", () => {
  it("are indexed one after the other, in their order", async () => {
    const counts = { indexed: 0, unchanged: 0, skipped: 0, errors: 0, removed: 0 };
    const steps: string[] = [];
    const retrieval = createRetrievalStub({
      indexRoot: async ({ rootIndex }) => {
        steps.push(`begin ${rootIndex}`);
        await new Promise(setImmediate);
        steps.push(`end ${rootIndex}`);
        return counts;
      },
    });
    await using rag = await createRag([{}, {}, {}], { retrieval });
    await expect200(await rag.call("POST", "/index"));
    assert.deepEqual(
      steps,
      [0, 1, 2].flatMap((at) => [`begin ${at}`, `end ${at}`]),
    );
  });
});
