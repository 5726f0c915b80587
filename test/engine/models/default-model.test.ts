// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EngineError } from "../../../engine/errors.ts";
import { type ModelChoice, resolveModel } from "../../../engine/models/resolve.ts";
import { createTestEngine, openEventStream, type TestEngine } from "../../support/engine/engine.ts";
import { json } from "../../support/http.ts";

const NONE: ModelChoice = { requested: undefined, threadDefault: null, workspaceDefault: null };
const KEY = "models.default";

async function configure(test: TestEngine, model: string): Promise<string> {
  const input = { provider: "openai-compatible", baseUrl: "http://127.0.0.1:1", model };
  return (await json(await test.call("POST", "/model-configurations", input), 201)).id;
}

async function put(test: TestEngine, value: string, scope: object = {}): Promise<void> {
  await json(await test.call("PUT", "/settings", [{ key: KEY, value, ...scope }]));
}

async function resolve(test: TestEngine, choice: Partial<ModelChoice> = {}) {
  const { id, persist } = await resolveModel(test.deps, { ...NONE, ...choice });
  return { id, persist };
}

describe("The default model of the engine", () => {
  it("comes after request, thread and workspace, and before echo, and goes to the thread", async () => {
    await using test = await createTestEngine();
    const [preset, other] = [await configure(test, "preset"), await configure(test, "other")];
    assert.deepEqual(await resolve(test), { id: "echo", persist: undefined });
    await put(test, preset);
    assert.deepEqual(await resolve(test), { id: preset, persist: preset });
    assert.equal((await resolve(test, { requested: other })).id, other);
    assert.equal((await resolve(test, { threadDefault: other })).id, other);
    assert.equal((await resolve(test, { workspaceDefault: other })).id, other);
    assert.equal((await resolve(test, { requested: "echo" })).id, "echo");
  });

  it("is echo again once the setting is empty, and no setting of a tag or client counts", async () => {
    await using test = await createTestEngine();
    const preset = await configure(test, "preset");
    await put(test, preset, { tag: "t" });
    await put(test, preset, { client: "c" });
    assert.equal((await resolve(test)).id, "echo");
    await put(test, preset);
    await put(test, "");
    assert.equal((await resolve(test)).id, "echo");
  });

  it("is the one written last where null and the empty text were both used for no tag", async () => {
    await using test = await createTestEngine();
    const [one, two] = [await configure(test, "one"), await configure(test, "two")];
    const scopes = [null, ""].flatMap((tag) => [null, ""].map((client) => ({ tag, client })));
    for (const first of scopes) {
      for (const last of scopes) {
        await put(test, one, first);
        await put(test, two, last);
        assert.equal((await resolve(test)).id, two, JSON.stringify([first, last]));
      }
    }
    const both = [
      { key: KEY, value: two, tag: null },
      { key: KEY, value: one, tag: "" },
    ];
    assert.equal((await json(await test.call("PUT", "/settings", both)))[0].value, two);
    assert.equal((await resolve(test)).id, one);
  });

  it("fails the turn with a sentence where its configuration is gone, or is no id", async () => {
    await using test = await createTestEngine();
    const gone = await configure(test, "gone");
    await test.call("DELETE", `/model-configurations/${gone}`);
    for (const value of [gone, "gone", "echo"]) {
      await put(test, value);
      await assert.rejects(resolve(test), (error) => {
        assert.ok(error instanceof EngineError && error.code === "invalid");
        assert.match(error.message, /^The default model of the engine \(.*models\.default\) does/);
        return true;
      });
    }
  });

  it("answers a turn over HTTP", async () => {
    await using test = await createTestEngine();
    const { id } = await json(
      await test.call("POST", "/model-configurations", { provider: "echo", model: "mine" }),
      201,
    );
    await put(test, id);
    const workspace = await json(await test.call("POST", "/workspaces", { name: "w" }));
    const path = `/workspaces/${workspace.uuid}/turns`;
    const turn = await json(await test.call("POST", path, { content: "hello" }), 202);
    assert.equal(turn.model, id);
    await using events = await openEventStream(test, `/turns/${turn.uuid}/events`);
    assert.equal((await events.rest()).at(-1)?.data.state, "completed");
    const thread = await json(await test.call("GET", `/threads/${turn.threadUuid}`));
    assert.equal(thread.defaultModelId, id);
  });
});
