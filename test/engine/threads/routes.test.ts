import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestEngine, deletedRowsGone, type TestEngine } from "../../support/engine/engine.ts";
import { empty, json } from "../../support/http.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";

async function createWorkspace(test: TestEngine): Promise<string> {
  return (await json(await test.call("POST", "/workspaces", { name: "w" }))).uuid;
}

describe("POST /threads", () => {
  it("answers 200 with exactly the fields of a Thread, and publishes thread.created", async () => {
    await using test = await createTestEngine();
    const workspaceUuid = await createWorkspace(test);
    const body = { workspaceUuid, title: "T", approvalConfig: "{}" };
    const thread = await json(await test.call("POST", "/threads", body));
    const { id, uuid, ...rest } = thread;
    assert.equal(Number.isInteger(id), true);
    assert.deepEqual(rest, {
      workspaceUuid,
      title: "T",
      description: null,
      defaultModelId: null,
      toolsConfig: null,
      createdAt: "2026-01-02T03:04:05.000Z",
      updatedAt: "2026-01-02T03:04:05.000Z",
    });
    assert.deepEqual(test.publishedEvents(), [
      {
        type: "thread.created",
        timestamp: "2026-01-02T03:04:05.000Z",
        data: { threadId: uuid, workspaceId: workspaceUuid, title: "T" },
      },
    ]);
  });

  it("takes null for every optional field", async () => {
    await using test = await createTestEngine();
    const fields = ["title", "description", "defaultModelId", "toolsConfig"];
    const nulls = Object.fromEntries(fields.map((field) => [field, null]));
    const body = { workspaceUuid: await createWorkspace(test), ...nulls };
    const thread = await json(await test.call("POST", "/threads", body));
    for (const field of fields) assert.equal(thread[field], null, field);
  });

  it("takes snake_case", async () => {
    await using test = await createTestEngine();
    const body = { workspace_uuid: await createWorkspace(test), default_model_id: "m" };
    assert.equal((await json(await test.call("POST", "/threads", body))).defaultModelId, "m");
  });

  it("answers 404 for an unknown workspace, and publishes nothing", async () => {
    await using test = await createTestEngine();
    const response = await test.call("POST", "/threads", { workspaceUuid: UNKNOWN });
    assert.deepEqual(await json(response, 404), { error: "Workspace not found." });
    assert.deepEqual(test.publishedEvents(), []);
  });

  for (const [body, details] of [
    [{}, "workspaceUuid: is required"],
    [{ workspaceUuid: null }, "workspaceUuid: must be a string"],
    [{ workspaceUuid: UNKNOWN, title: 1 }, "title: must be a string"],
  ] as const) {
    it(`answers 400 for ${JSON.stringify(body)}`, async () => {
      await using test = await createTestEngine();
      const error = await json(await test.call("POST", "/threads", body), 400);
      assert.deepEqual(error, { error: "The request is not valid.", details });
    });
  }
});

describe("GET /workspaces/{uuid}/threads", () => {
  it("lists the newest-updated first, and none of other workspaces", async () => {
    await using test = await createTestEngine();
    const workspaceUuid = await createWorkspace(test);
    const other = await createWorkspace(test);
    await test.call("POST", "/threads", { workspaceUuid: other });
    const uuids = [];
    for (const title of ["a", "b", "c"]) {
      test.deps.clock.advance(1000);
      uuids.push((await json(await test.call("POST", "/threads", { workspaceUuid, title }))).uuid);
    }
    await test.call("PUT", `/threads/${uuids[0]}`, {});
    const list = await json(await test.call("GET", `/workspaces/${workspaceUuid}/threads`));
    assert.deepEqual(
      list.map(({ title }: { title: string }) => title),
      ["a", "c", "b"],
    );
  });

  it("answers 200 [] for an unknown workspace", async () => {
    await using test = await createTestEngine();
    assert.deepEqual(await json(await test.call("GET", `/workspaces/${UNKNOWN}/threads`)), []);
    assert.deepEqual(await json(await test.call("GET", "/workspaces/x/threads")), []);
  });
});

describe("PUT /threads/{uuid}", () => {
  const full = { title: "t", description: "d", defaultModelId: "m", toolsConfig: "{}" };

  for (const [body, expected] of [
    [{}, full],
    [{ title: null }, { ...full, title: null }],
    [
      { description: "new", default_model_id: null },
      { ...full, description: "new", defaultModelId: null },
    ],
    [{ toolsConfig: "" }, { ...full, toolsConfig: "" }],
  ] as const) {
    it(`changes only what ${JSON.stringify(body)} names, and refreshes updatedAt`, async () => {
      await using test = await createTestEngine();
      const workspaceUuid = await createWorkspace(test);
      const created = await json(await test.call("POST", "/threads", { workspaceUuid, ...full }));
      test.publishedEvents();
      const updated = await json(await test.call("PUT", `/threads/${created.uuid}`, body));
      assert.deepEqual(updated, { ...created, ...expected, updatedAt: updated.updatedAt });
      assert.equal(updated.updatedAt > created.updatedAt, true);
      assert.deepEqual(await json(await test.call("GET", `/threads/${created.uuid}`)), updated);
      const { title, description } = updated;
      const [event, ...more] = test.publishedEvents();
      assert.equal(event?.type, "thread.updated");
      assert.deepEqual(event?.data, { threadId: created.uuid, title, description });
      assert.deepEqual(more, []);
    });
  }

  it("answers 400 for a wrong type, and changes nothing", async () => {
    await using test = await createTestEngine();
    const workspaceUuid = await createWorkspace(test);
    const created = await json(await test.call("POST", "/threads", { workspaceUuid }));
    test.publishedEvents();
    const path = `/threads/${created.uuid}`;
    const error = await json(await test.call("PUT", path, { title: [] }), 400);
    assert.equal(error.details, "title: must be a string");
    assert.deepEqual(await json(await test.call("GET", path)), created);
    assert.deepEqual(test.publishedEvents(), []);
  });
});

describe("DELETE /threads/{uuid}", () => {
  it("deletes its messages, and leaves todos and memories without a thread", async () => {
    await using test = await createTestEngine();
    const workspaceUuid = await createWorkspace(test);
    const { uuid } = await json(await test.call("POST", "/threads", { workspaceUuid }));
    await test.call("POST", "/messages", { threadUuid: uuid, role: "user", content: "c" });
    const now = "'2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'";
    await test.deps.db.$client.batch(
      [
        `INSERT INTO todos (uuid, workspace_id, thread_id, title, status, created_at, updated_at) VALUES ('t', 1, 1, '', 'open', ${now})`,
        `INSERT INTO memories (uuid, workspace_id, thread_id, content, created_at, updated_at) VALUES ('m', 1, 1, '', ${now})`,
      ],
      "write",
    );
    test.publishedEvents();
    await empty(await test.call("DELETE", `/threads/${uuid}`));
    assert.deepEqual(await json(await test.call("GET", `/threads/${uuid}/messages`)), []);
    await deletedRowsGone(test.deps.db);
    for (const table of ["todos", "memories"]) {
      const { rows } = await test.deps.db.$client.execute(`SELECT thread_id FROM ${table}`);
      assert.deepEqual(
        rows.map(({ thread_id }) => thread_id),
        [null],
        table,
      );
    }
    assert.deepEqual(test.publishedEvents(), []);
  });
});

describe("a thread's policy", () => {
  it("is replaced whole, shown only here, and publishes nothing", async () => {
    await using test = await createTestEngine();
    const workspaceUuid = await createWorkspace(test);
    const thread = await json(await test.call("POST", "/threads", { workspaceUuid }));
    test.publishedEvents();
    const path = `/threads/${thread.uuid}/policy`;
    const none = { approvalConfig: null, skillsConfig: null };
    assert.deepEqual(await json(await test.call("GET", path)), none);
    const policy = { approvalConfig: "{", skillsConfig: "[]" };
    assert.deepEqual(await json(await test.call("PUT", path, policy)), policy);
    assert.deepEqual(await json(await test.call("GET", path)), policy);
    assert.deepEqual(await json(await test.call("GET", `/threads/${thread.uuid}`)), thread);
    const replaced = await json(await test.call("PUT", path, { skills_config: "s" }));
    assert.deepEqual(replaced, { approvalConfig: null, skillsConfig: "s" });
    assert.deepEqual(test.publishedEvents(), []);
  });
});

describe("an unknown thread", () => {
  for (const [method, suffix, body] of [
    ["GET", "", undefined],
    ["PUT", "", {}],
    ["DELETE", "", undefined],
    ["GET", "/policy", undefined],
    ["PUT", "/policy", {}],
  ] as const) {
    it(`answers 404 to ${method} ${suffix}`, async () => {
      await using test = await createTestEngine();
      for (const uuid of [UNKNOWN, "not-a-uuid"]) {
        const response = await test.call(method, `/threads/${uuid}${suffix}`, body);
        assert.deepEqual(await json(response, 404), { error: "Thread not found." });
      }
      assert.deepEqual(test.publishedEvents(), []);
    });
  }
});
