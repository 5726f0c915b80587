import assert from "node:assert/strict";
import { link, rm, symlink, writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { createChatHarness } from "../../support/engine/chat.ts";
import { TEST_CONFIG } from "../../support/engine/engine.ts";
import { createTestFolder } from "../../support/engine/files.ts";
import { endOf, startTurn } from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";
import { ScriptedModel, scriptedChat } from "../../support/providers/model.ts";

const NONE = { text: "", useAgentsFile: false };
const MAX = 32 * 1024;

/** A workspace with two roots, of which the first is the engine's data directory's parent. */
async function setUp() {
  const folder = await createTestFolder({ one: {}, two: {}, data: { secret: "canary-secret" } });
  const model = new ScriptedModel();
  const config = { ...TEST_CONFIG, dataDirectory: folder.at("data") };
  const harness = await createChatHarness(
    { chat: scriptedChat(model, { tools: [] }), config },
    { directories: JSON.stringify([folder.at("one"), folder.at("two")]) },
  );
  const { test, workspaceUuid } = harness;
  const path = `/workspaces/${workspaceUuid}/instructions`;
  /** What the model gets at the next turn, and the notices of that turn. */
  const told = async () => {
    const { uuid } = await endOf(harness, await startTurn(harness));
    const { notices } = await json(await test.call("GET", `/turns/${uuid}/context`));
    return { text: model.requests.at(-1)!.instructions, notices };
  };
  return Object.assign(harness, {
    folder,
    path,
    told,
    put: (body: unknown) => test.call("PUT", path, body),
    get: async () => json(await test.call("GET", path)),
    [Symbol.asyncDispose]: async () => {
      await test.engine.close();
      await test[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  });
}

describe("the instructions of a workspace", () => {
  it("are none at first, replaced whole, and kept when the workspace is replaced", async () => {
    await using harness = await setUp();
    const { test, workspaceUuid } = harness;
    assert.deepEqual(await harness.get(), NONE);
    const given = { text: "Answer in French.", useAgentsFile: true };
    assert.deepEqual(await json(await harness.put(given)), given);
    await json(await test.call("PUT", `/workspaces/${workspaceUuid}`, { name: "x" }));
    assert.deepEqual(await harness.get(), given);
    const shown = await json(await test.call("GET", `/workspaces/${workspaceUuid}`));
    assert.ok(!JSON.stringify(shown).includes("French"));
    await json(await harness.put(NONE));
    assert.deepEqual(await harness.get(), NONE);
  });

  const REFUSED: [what: string, body: unknown][] = [
    ["a missing text", { useAgentsFile: true }],
    ["a missing flag", { text: "" }],
    ["null", { text: null, useAgentsFile: true }],
    ["a flag that is text", { text: "", useAgentsFile: "true" }],
    ["too much", { text: "é".repeat(MAX / 2 + 1), useAgentsFile: false }],
    ["U+0000", { text: "a\0b", useAgentsFile: false }],
    ["half of a surrogate pair", { text: "\ud800", useAgentsFile: false }],
  ];
  for (const [what, body] of REFUSED) {
    it(`are not ${what}: 400, and nothing changes`, async () => {
      await using harness = await setUp();
      assert.match((await json(await harness.put(body), 400)).details, /^(text|useAgentsFile)/);
      assert.deepEqual(await harness.get(), NONE);
    });
  }

  it("have up to 32 KiB, and are 404 for an unknown workspace", async () => {
    await using harness = await setUp();
    await json(await harness.put({ text: "é".repeat(MAX / 2), useAgentsFile: false }));
    await json(await harness.test.call("GET", "/workspaces/none/instructions"), 404);
    await json(await harness.test.call("PUT", "/workspaces/none/instructions", NONE), 404);
  });

  it("come after the engine's own, from the next turn on", async () => {
    await using harness = await setUp();
    assert.ok(!(await harness.told()).text.includes("Instructions of the workspace"));
    await json(await harness.put({ text: "Answer in French.", useAgentsFile: false }));
    const { text } = await harness.told();
    assert.match(text, /^You are the assistant of the workspace/);
    assert.ok(text.endsWith("\n\nInstructions of the workspace:\nAnswer in French."));
  });
});

describe("AGENTS.md of a root", () => {
  it("is read at each turn, of each root, behind the instructions", async () => {
    await using harness = await setUp();
    const { folder } = harness;
    await json(await harness.put({ text: "First.", useAgentsFile: true }));
    assert.deepEqual((await harness.told()).notices, []);
    await writeFile(folder.at("one", "AGENTS.md"), "Of one.");
    await writeFile(folder.at("two", "AGENTS.md"), "Of two.");
    const { text } = await harness.told();
    const [one, two] = [folder.at("one"), folder.at("two")].map((path) => JSON.stringify(path));
    const own = `Instructions of the workspace:\nFirst.`;
    const files = `Instructions for the folder ${one}:\nOf one.\n\nInstructions for the folder ${two}:\nOf two.`;
    assert.ok(text.endsWith(`${own}\n\n${files}`));
    await writeFile(folder.at("one", "AGENTS.md"), "Changed.");
    await rm(folder.at("two", "AGENTS.md"));
    assert.ok((await harness.told()).text.endsWith("Changed."));
    await json(await harness.put({ text: "", useAgentsFile: false }));
    assert.ok(!(await harness.told()).text.includes("Changed."));
  });

  const LEFT_OUT: [what: string, make: (at: (...path: string[]) => string) => Promise<void>][] = [
    ["a link", (at) => symlink(at("data", "secret"), at("one", "AGENTS.md"))],
    [
      "a hard link to the engine's own data",
      (at) => link(at("data", "secret"), at("one", "AGENTS.md")),
    ],
    [
      "larger than 32 KiB",
      (at) => writeFile(at("one", "AGENTS.md"), "canary-secret".padEnd(MAX + 1)),
    ],
    [
      "not UTF-8",
      (at) => writeFile(at("one", "AGENTS.md"), Buffer.from("canary-secret\xff", "latin1")),
    ],
  ];
  for (const [what, make] of LEFT_OUT) {
    it(`is left out where it is ${what}, and a notice says so`, async () => {
      await using harness = await setUp();
      await make((...path) => harness.folder.at(...path));
      await json(await harness.put({ text: "", useAgentsFile: true }));
      const { text, notices } = await harness.told();
      assert.ok(!text.includes("canary-secret"));
      assert.equal(notices.length, 1);
      assert.match(notices[0], /^AGENTS\.md of .* was left out: /);
    });
  }
});
