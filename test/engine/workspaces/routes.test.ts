import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestEngine, deletedRowsGone } from "../../support/engine/engine.ts";
import { createTestFolder, createWorkspaceOver } from "../../support/engine/files.ts";
import { empty, json } from "../../support/http.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const OPTIONAL = [
  "description",
  "defaultModelId",
  "toolsConfig",
  "directories",
  "approvalConfig",
  "ragConfig",
];

describe("POST /workspaces", () => {
  it("answers 200 with exactly the fields of a Workspace", async () => {
    await using test = await createTestEngine();
    const workspace = await json(await test.call("POST", "/workspaces", { name: "Work" }));
    const { id, uuid, ...rest } = workspace;
    assert.equal(Number.isInteger(id), true);
    assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(rest, {
      name: "Work",
      ...Object.fromEntries(OPTIONAL.map((field) => [field, null])),
      createdAt: "2026-01-02T03:04:05.000Z",
      updatedAt: "2026-01-02T03:04:05.000Z",
    });
  });

  it("stores embedded JSON as the string that came, valid or not, and ignores unknown fields", async () => {
    await using test = await createTestEngine();
    const given = Object.fromEntries(OPTIONAL.map((field) => [field, `{${field}`]));
    const body = { name: " ", ...given, skillsConfig: "{}", id: 99, colour: "red" };
    const workspace = await json(await test.call("POST", "/workspaces", body));
    for (const field of OPTIONAL) assert.equal(workspace[field], `{${field}`);
    assert.equal("skillsConfig" in workspace || "colour" in workspace, false);
    assert.notEqual(workspace.id, 99);
  });

  it("takes null for every optional field", async () => {
    await using test = await createTestEngine();
    const nulls = Object.fromEntries(OPTIONAL.map((field) => [field, null]));
    const created = await json(await test.call("POST", "/workspaces", { name: "n", ...nulls }));
    for (const field of OPTIONAL) assert.equal(created[field], null, field);
    const path = `/workspaces/${created.uuid}`;
    const replaced = await json(await test.call("PUT", path, { name: "n", ...nulls }));
    for (const field of OPTIONAL) assert.equal(replaced[field], null, field);
  });

  it("takes snake_case, and camelCase where both are there", async () => {
    await using test = await createTestEngine();
    const body = { name: "n", default_model_id: "a", tools_config: "b", toolsConfig: "c" };
    const workspace = await json(await test.call("POST", "/workspaces", body));
    assert.equal(workspace.defaultModelId, "a");
    assert.equal(workspace.toolsConfig, "c");
  });

  for (const [body, details] of [
    [{}, "name: is required"],
    [{ name: "" }, "name: must not be empty"],
    [{ name: null }, "name: must be a string"],
    [{ name: 7 }, "name: must be a string"],
    [{ name: "n", description: 7 }, "description: must be a string"],
    [{ name: "a\u0000b" }, "name: must not contain U+0000"],
    [{ name: "n", ragConfig: "\u0000" }, "ragConfig: must not contain U+0000"],
    [[], "body: must be an object"],
    ["null", "body: must be an object"],
    ["{", "The body is not valid JSON."],
    ["", "The body is not valid JSON."],
  ] as const) {
    it(`answers 400 for ${JSON.stringify(body)}`, async () => {
      await using test = await createTestEngine();
      const error = await json(await test.call("POST", "/workspaces", body), 400);
      assert.deepEqual(error, { error: "The request is not valid.", details });
      assert.deepEqual(await json(await test.call("GET", "/workspaces")), []);
    });
  }

  it("puts workspaces into one network named `default`", async () => {
    await using test = await createTestEngine();
    await test.call("POST", "/workspaces", { name: "a" });
    await test.call("POST", "/workspaces", { name: "b" });
    const { rows } = await test.deps.db.$client.execute("SELECT name FROM networks");
    assert.deepEqual(
      rows.map(({ name }) => name),
      ["default"],
    );
  });

  it("uses a network that is already there", async () => {
    await using test = await createTestEngine();
    const insert =
      "INSERT INTO networks (uuid, name, created_at) VALUES ('n', 'mine', '2026-01-01T00:00:00.000Z')";
    await test.deps.db.$client.execute(insert);
    await test.call("POST", "/workspaces", { name: "a" });
    const sql =
      "SELECT n.name FROM workspaces w JOIN networks n ON n.id = w.network_id UNION ALL SELECT count(*) FROM networks";
    const { rows } = await test.deps.db.$client.execute(sql);
    assert.deepEqual(
      rows.map(({ name }) => name),
      ["mine", 1],
    );
  });

  it("the default workspace of a network selects nothing", async () => {
    await using test = await createTestEngine();
    const { uuid } = await json(await test.call("POST", "/workspaces", { name: "a" }));
    await test.deps.db.$client.execute(`UPDATE networks SET default_workspace_uuid = '${uuid}'`);
    const error = await json(await test.call("POST", "/threads", {}), 400);
    assert.equal(error.details, "workspaceUuid: is required");
    assert.deepEqual(await json(await test.call("GET", `/workspaces/${uuid}/threads`)), []);
  });

  it("publishes nothing, nor do replacement and deletion", async () => {
    await using test = await createTestEngine();
    const { uuid } = await json(await test.call("POST", "/workspaces", { name: "a" }));
    await test.call("PUT", `/workspaces/${uuid}`, { name: "b" });
    await test.call("DELETE", `/workspaces/${uuid}`);
    assert.deepEqual(test.publishedEvents(), []);
  });
});

describe("GET /workspaces", () => {
  it("orders by name", async () => {
    await using test = await createTestEngine();
    for (const name of ["b", "c", "a"]) await test.call("POST", "/workspaces", { name });
    const all = await json(await test.call("GET", "/workspaces"));
    assert.deepEqual(
      all.map((workspace: { name: string }) => workspace.name),
      ["a", "b", "c"],
    );
  });
});

describe("one workspace", () => {
  it("is read back as it was created", async () => {
    await using test = await createTestEngine();
    const created = await json(await test.call("POST", "/workspaces", { name: "a\t🙂" }));
    const read = await json(await test.call("GET", `/workspaces/${created.uuid}`));
    assert.deepEqual(read, created);
  });

  it("is replaced whole: every omitted optional field becomes null", async () => {
    await using test = await createTestEngine();
    const given = Object.fromEntries(OPTIONAL.map((field) => [field, "x"]));
    const created = await json(await test.call("POST", "/workspaces", { name: "a", ...given }));
    test.deps.clock.advance(1000);
    const path = `/workspaces/${created.uuid}`;
    const replaced = await json(await test.call("PUT", path, { name: "b" }));
    assert.deepEqual(replaced, {
      ...created,
      name: "b",
      ...Object.fromEntries(OPTIONAL.map((field) => [field, null])),
      updatedAt: "2026-01-02T03:04:06.000Z",
    });
    assert.deepEqual(await json(await test.call("GET", path)), replaced);
  });

  it("needs a name to be replaced, and stays as it was without", async () => {
    await using test = await createTestEngine();
    const created = await json(await test.call("POST", "/workspaces", { name: "a" }));
    const path = `/workspaces/${created.uuid}`;
    const error = await json(await test.call("PUT", path, { description: "d" }), 400);
    assert.equal(error.details, "name: is required");
    assert.deepEqual(await json(await test.call("GET", path)), created);
  });

  it("keeps its skills when it is replaced", async () => {
    await using test = await createTestEngine();
    const { uuid } = await json(await test.call("POST", "/workspaces", { name: "a" }));
    const policy = { skillsConfig: "not json" };
    const path = `/workspaces/${uuid}/policy`;
    assert.deepEqual(await json(await test.call("PUT", path, policy)), policy);
    await test.call("PUT", `/workspaces/${uuid}`, { name: "b" });
    assert.deepEqual(await json(await test.call("GET", path)), policy);
    assert.deepEqual(await json(await test.call("PUT", path, {})), { skillsConfig: null });
  });

  it("is deleted with its threads, messages and records, and answers an empty 204", async () => {
    await using test = await createTestEngine();
    const { uuid } = await json(await test.call("POST", "/workspaces", { name: "a" }));
    const thread = await json(await test.call("POST", "/threads", { workspaceUuid: uuid }));
    const message = { threadUuid: thread.uuid, role: "user", content: "c" };
    await json(await test.call("POST", "/messages", message));
    const now = "'2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'";
    await test.deps.db.$client.batch(
      [
        `INSERT INTO todos (uuid, workspace_id, thread_id, title, status, created_at, updated_at) VALUES ('t', 1, 1, '', 'open', ${now})`,
        `INSERT INTO memories (uuid, workspace_id, thread_id, content, created_at, updated_at) VALUES ('m', 1, 1, '', ${now})`,
        `INSERT INTO notes (uuid, workspace_id, title, content, created_at, updated_at) VALUES ('n', 1, '', '', ${now})`,
        `INSERT INTO contacts (uuid, workspace_id, name, created_at, updated_at) VALUES ('c', 1, '', ${now})`,
      ],
      "write",
    );
    await empty(await test.call("DELETE", `/workspaces/${uuid}`));
    await deletedRowsGone(test.deps.db);
    for (const table of [
      "workspaces",
      "threads",
      "messages",
      "todos",
      "memories",
      "notes",
      "contacts",
    ]) {
      const { rows } = await test.deps.db.$client.execute(`SELECT 1 FROM ${table}`);
      assert.equal(rows.length, 0, table);
    }
  });

  it("leaves its folders and their indexes on the disk", async () => {
    await using test = await createTestEngine();
    await using root = await createTestFolder({ "a.txt": "a", ".engine": { "sidecar.db": "" } });
    const uuid = await createWorkspaceOver(test, [root.path]);
    const before = await root.tree();
    await empty(await test.call("DELETE", `/workspaces/${uuid}`));
    assert.deepEqual(await root.tree(), before);
    assert.ok(before.includes(".engine/sidecar.db"));
  });

  for (const [method, suffix, body] of [
    ["GET", "", undefined],
    ["PUT", "", { name: "a" }],
    ["DELETE", "", undefined],
    ["GET", "/policy", undefined],
    ["PUT", "/policy", {}],
  ] as const) {
    for (const uuid of [UNKNOWN, "not-a-uuid", "%00", "..%2f"]) {
      it(`answers 404 for ${method} of the unknown ${uuid}${suffix}`, async () => {
        await using test = await createTestEngine();
        const response = await test.call(method, `/workspaces/${uuid}${suffix}`, body);
        assert.deepEqual(await json(response, 404), { error: "Workspace not found." });
      });
    }
  }
});
