// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nameNewThread } from "../../../engine/client/new-thread-title.ts";
import { createTestClient } from "../../support/engine/engine.ts";
import { endOf, harnessOf, startTurn } from "../../support/engine/turns.ts";

const KEY = "titles.auto";

/** The title of a thread after its first answer, with settings that were written in this order. */
async function titleAfter(settings: readonly object[], step = ["By the model"]) {
  await using harness = await harnessOf([["The answer"], step]);
  const { client } = createTestClient(harness.test);
  for (const setting of settings) {
    await client.settings.update([{ key: KEY, value: "", ...setting }]);
  }
  await endOf(harness, await startTurn(harness, { content: "What is it?" }));
  await client.threads.update(harness.threadUuid, { title: null });
  await nameNewThread(client, harness.threadUuid);
  return (await client.threads.get(harness.threadUuid)).title;
}

describe("a new thread", () => {
  const off = { value: "off" };
  for (const [what, settings, title] of [
    ["is named by its model", [], "By the model"],
    ["is not if the setting is off", [off], null],
    [
      "is not if the setting is off with an empty tag and client",
      [{ ...off, tag: "", client: "" }],
      null,
    ],
    ["is named if the setting is off for a tag alone", [{ ...off, tag: "t" }], "By the model"],
    [
      "is named if the setting is off for a client alone",
      [{ ...off, client: "c" }],
      "By the model",
    ],
    ["is named if the setting has another value", [{ value: "on" }], "By the model"],
    [
      "takes what was written last with null or the empty text",
      [
        { ...off, tag: null },
        { value: "on", tag: "" },
      ],
      "By the model",
    ],
  ] as const) {
    it(what, async () => assert.equal(await titleAfter(settings), title));
  }

  it("stays as it is, and nothing is thrown, if the model gives no title", async () => {
    assert.equal(await titleAfter([], [""]), null);
  });

  it("stays as it is, and nothing is thrown, once the engine is gone", async () => {
    await using harness = await harnessOf([]);
    const { client } = createTestClient(harness.test);
    await client[Symbol.asyncDispose]();
    await nameNewThread(client, harness.threadUuid);
    assert.equal(harness.model.requests.length, 0);
  });
});
