import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { encodeJsonFields, parseJsonFields } from "../../../engine/client/call.ts";
import { toCamelCase, toSnakeCase } from "../../../shared/client/names.ts";
import { createTestClient, createTestEngine } from "../../support/engine/engine.ts";

describe("fields that hold JSON in a string", () => {
  it("take values and give values, and keep the names in them", async () => {
    await using test = await createTestEngine();
    const { client, sent } = createTestClient(test);
    const toolsConfig = { builtin_enabled: true, builtin: { filesystem: { enabled: false } } };
    const approvalConfig = { create: true, read: false, update: true, delete: true };
    const fields = { directories: ["/home/ada/notes"], toolsConfig, approvalConfig };
    const created = await client.workspaces.create({ name: "W", ...fields, ragConfig: null });
    assert.deepEqual(sent[0]?.body, {
      name: "W",
      directories: '["/home/ada/notes"]',
      toolsConfig: JSON.stringify(toolsConfig),
      approvalConfig: JSON.stringify(approvalConfig),
      ragConfig: null,
    });
    assert.deepEqual(created.directories, ["/home/ada/notes"]);
    assert.deepEqual(created.toolsConfig, toolsConfig);
    assert.deepEqual(await client.workspaces.list(), [created]);
    const policy = { skillsConfig: { skills: [{ name: "A", instructions: "B" }] } };
    assert.deepEqual(await client.workspaces.updatePolicy(created.uuid, policy), policy);
  });

  it("give a stored string that is no JSON as malformed, which goes back unchanged", async () => {
    await using test = await createTestEngine();
    const { client } = createTestClient(test);
    const stored = await test.call("POST", "/workspaces", { name: "W", toolsConfig: "{not json" });
    const { uuid } = (await stored.json()) as { uuid: string };
    const workspace = await client.workspaces.get(uuid);
    assert.deepEqual(workspace.toolsConfig, { malformed: "{not json" });
    await client.workspaces.update(uuid, workspace);
    const after = await (await test.call("GET", `/workspaces/${uuid}`)).json();
    assert.equal((after as { toolsConfig: string }).toolsConfig, "{not json");
  });

  it("come back as every value was given, but for strings and a lone `malformed`", () => {
    const value = fc.jsonValue().filter((given) => typeof given !== "string" && given !== null);
    fc.assert(
      fc.property(value, (given) => {
        fc.pre(typeof Object(given).malformed !== "string");
        const plain: unknown = JSON.parse(JSON.stringify({ directories: given, name: "n" }));
        assert.deepEqual(parseJsonFields(encodeJsonFields(plain)), plain);
      }),
    );
  });

  it("give any stored string back as it was", () => {
    fc.assert(
      fc.property(fc.string(), (stored) => {
        const parsed = parseJsonFields({ ragConfig: stored }) as { ragConfig: unknown };
        const isJson = typeof Object(parsed.ragConfig).malformed !== "string";
        fc.pre(!isJson);
        assert.deepEqual(encodeJsonFields(parsed), { ragConfig: stored });
      }),
    );
  });
});

describe("names of fields", () => {
  it("change their spelling at every depth", () => {
    const camel = { modelId: "m", fileContext: { taggedFiles: [{ rootIndex: 0, path: "a_b" }] } };
    const snake = {
      model_id: "m",
      file_context: { tagged_files: [{ root_index: 0, path: "a_b" }] },
    };
    assert.deepEqual(toSnakeCase(camel), snake);
    assert.deepEqual(toCamelCase(snake), camel);
    assert.deepEqual(toCamelCase([null, "a_b", 1]), [null, "a_b", 1]);
  });
});
