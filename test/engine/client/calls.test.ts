import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTestClient, createTestEngine } from "../../support/engine/engine.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";

describe("a call of the client", () => {
  it("takes the ids of the path, then the body, and gives what the engine answers", async () => {
    await using test = await createTestEngine();
    const { client, sent } = createTestClient(test);
    const { uuid } = await client.workspaces.create({ name: "First steps" });
    const updated = await client.workspaces.update(uuid, { name: "Second steps" });
    assert.equal(updated.name, "Second steps");
    assert.deepEqual(await client.workspaces.get(uuid), updated);
    assert.deepEqual(await client.workspaces.list(), [updated]);
    assert.equal(await client.workspaces.delete(uuid), undefined);
    assert.deepEqual(
      sent.map(({ method, path }) => `${method} ${path}`),
      [
        "POST /api/v1/workspaces",
        `PUT /api/v1/workspaces/${uuid}`,
        `GET /api/v1/workspaces/${uuid}`,
        "GET /api/v1/workspaces",
        `DELETE /api/v1/workspaces/${uuid}`,
      ],
    );
  });

  it("is the same by the operation's id", async () => {
    await using test = await createTestEngine();
    const { client } = createTestClient(test);
    const { uuid } = await client.operations.createWorkspace({ name: "One" });
    assert.equal((await client.operations.getWorkspace(uuid)).name, "One");
  });

  it("puts an input without a body into the query, and leaves out what is undefined", async () => {
    await using test = await createTestEngine();
    const { client, sent } = createTestClient(test);
    const { uuid: workspaceUuid } = await client.workspaces.create({ name: "W" });
    for (const title of ["one", "two", "three"])
      await client.threads.create({ workspaceUuid, title });
    const page = await client.threads.list(workspaceUuid, { limit: 2, before: undefined });
    assert.equal(page.length, 2);
    assert.match(sent.at(-1)?.path ?? "", /\/threads\?limit=2$/);
    const found = await client.threads.list(workspaceUuid, { query: "thr&e=" });
    assert.deepEqual(found, []);
  });

  it("divides one input between query and body", async () => {
    const folder = mkdtempSync(join(tmpdir(), "roundhouse-client-"));
    await using test = await createTestEngine();
    const { client, sent } = createTestClient(test);
    const { uuid } = await client.workspaces.create({ name: "W", directories: [folder] });
    await client.files.create(uuid, { rootIndex: 0, path: "a b.md", content: "text" });
    assert.deepEqual(sent.at(-1)?.body, { content: "text" });
    assert.match(sent.at(-1)?.path ?? "", /\?rootIndex=0&path=a\+b\.md$/);
    const file = await client.files.get(uuid, { rootIndex: 0, path: "a b.md" });
    assert.equal(file.content, "text");
    rmSync(folder, { recursive: true });
  });

  it("has camelCase names, whatever the wire has", async () => {
    await using test = await createTestEngine();
    const { client, sent } = createTestClient(test);
    const credentials = { email: "ada@example.com", code: "12345678", password: "correct horse" };
    await client.account
      .completeSignup({ ...credentials, displayName: "Ada" })
      .catch((error: Error) => assert.equal(error.name, "EngineError"));
    assert.deepEqual(sent[0]?.body, { ...credentials, display_name: "Ada" });
  });

  it("refuses an id that would lead to another path, and sends nothing", async () => {
    await using test = await createTestEngine();
    const { client, sent } = createTestClient(test);
    for (const id of ["", ".", "..", undefined as unknown as string]) {
      await assert.rejects(client.threads.get(id), { message: "threads.get: uuid must be an id." });
    }
    assert.equal(sent.length, 0);
    await assert.rejects(client.threads.get("../workspaces"), { status: 404 });
    assert.equal(sent[0]?.path, "/api/v1/threads/..%2Fworkspaces");
  });

  it("rejects with the engine's status, message and details", async () => {
    await using test = await createTestEngine();
    const { client } = createTestClient(test);
    await assert.rejects(client.threads.get(UNKNOWN), {
      name: "EngineError",
      status: 404,
      message: "Thread not found.",
    });
    await assert.rejects(client.workspaces.create({ name: "" }), (error: { details?: string }) => {
      assert.match(error.details ?? "", /^name: /);
      return true;
    });
  });

  it("rejects with the reason of its signal, and with the client's end", async () => {
    await using test = await createTestEngine();
    const { client, sent } = createTestClient(test);
    const reason = new Error("not needed any more");
    await assert.rejects(client.workspaces.list({ signal: AbortSignal.abort(reason) }), reason);
    await client[Symbol.asyncDispose]();
    await assert.rejects(client.workspaces.list(), { message: "The client is closed." });
    assert.deepEqual(sent, []);
  });
});
