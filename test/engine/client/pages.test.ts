import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestClient, createTestEngine } from "../../support/engine/engine.ts";

describe("the pages of a list", () => {
  it("are all its threads, each page of the given size", async () => {
    await using test = await createTestEngine();
    const { client } = createTestClient(test);
    const { uuid: workspaceUuid } = await client.workspaces.create({ name: "W" });
    for (let at = 0; at < 5; at += 1) await client.threads.create({ workspaceUuid });
    const pages = await Array.fromAsync(client.pages("listThreads", workspaceUuid, { limit: 2 }));
    assert.deepEqual(
      pages.map(({ length }) => length),
      [2, 2, 1],
    );
    assert.deepEqual(pages.flat(), await client.threads.list(workspaceUuid));
  });

  it("are one page without a limit, and are read no further than they are asked for", async () => {
    await using test = await createTestEngine();
    const { client, sent } = createTestClient(test);
    const { uuid: workspaceUuid } = await client.workspaces.create({ name: "W" });
    const { uuid } = await client.threads.create({ workspaceUuid });
    for (const content of ["1", "2", "3"])
      await client.messages.create({ threadUuid: uuid, role: "user", content });
    assert.equal((await Array.fromAsync(client.pages("listMessages", uuid))).length, 1);
    const before = sent.length;
    for await (const page of client.pages("listMessages", uuid, { limit: 1 })) {
      assert.deepEqual(
        page.map(({ content }) => content),
        ["3"],
      );
      break;
    }
    assert.equal(sent.length, before + 1);
  });

  it("end with the reason of their signal", async () => {
    await using test = await createTestEngine();
    const { client } = createTestClient(test);
    const signal = AbortSignal.abort(new Error("enough"));
    await assert.rejects(client.pages("listThreads", "w", {}, { signal }).next(), {
      message: "enough",
    });
  });
});
