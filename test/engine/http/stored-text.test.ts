import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { UpsertModelConfiguration } from "../../../engine/models/wire.ts";
import { CreateThread, ReplaceThreadPolicy, UpdateThread } from "../../../engine/threads/wire.ts";
import { UpsertToolConfiguration } from "../../../engine/tools/wire.ts";
import { CreateWorkspace, ReplaceWorkspacePolicy } from "../../../engine/workspaces/wire.ts";
import { createTestEngine } from "../../support/engine/engine.ts";

const STORED = {
  CreateWorkspace,
  ReplaceWorkspacePolicy,
  CreateThread,
  UpdateThread,
  ReplaceThreadPolicy,
  UpsertModelConfiguration,
  UpsertToolConfiguration,
};

describe("U+0000 in a text that a column keeps", () => {
  for (const [name, schema] of Object.entries(STORED)) {
    it(`is refused in every field of ${name}`, () => {
      for (const field of Object.keys(schema.shape)) {
        const { error } = schema.safeParse({ [field]: "a\u0000b" });
        const paths = error?.issues.map(({ path }) => path.join("."));
        assert.ok(paths?.includes(field), field);
      }
    });
  }

  for (const [path, body, message] of [
    ["/model-configurations", { provider: "echo", model: "m", apiKey: "a\u0000" }, "apiKey"],
    ["/tool-registry", { name: "n\u0000", toolType: "script" }, "name"],
    ["/threads", { workspaceUuid: "\u0000" }, "workspaceUuid"],
  ] as const) {
    it(`is answered 400 with the field by POST ${path}`, async () => {
      await using test = await createTestEngine();
      const response = await test.call("POST", path, body);
      assert.equal(response.status, 400);
      assert.match(await response.text(), new RegExp(`${message}: must not contain U\\+0000`));
    });
  }
});

describe("half of a surrogate pair, which the database would change", () => {
  const half = "a\ud83d";
  for (const [path, method, body, message] of [
    ["/workspaces", "POST", { name: half }, "name"],
    ["/messages", "POST", { threadUuid: "t", role: "user", content: half }, "content"],
    ["/settings", "PUT", [{ key: half, value: "v" }], "0.key"],
    ["/settings", "PUT", [{ key: "k", value: half }], "0.value"],
    ["/settings", "PUT", [{ key: "k", value: "v", tag: half }], "0.tag"],
    ["/settings", "PUT", [{ key: "k", value: "v", client: half }], "0.client"],
    ["/model-configurations", "POST", { provider: "echo", model: half }, "model"],
    ["/tool-registry", "POST", { name: half }, "name"],
  ] as const) {
    it(`is answered 400 with the field ${message} by ${method} ${path}`, async () => {
      await using test = await createTestEngine();
      const response = await test.call(method, path, body);
      assert.equal(response.status, 400);
      assert.match(await response.text(), new RegExp(`${message}: must not contain half of a`));
    });
  }
});
