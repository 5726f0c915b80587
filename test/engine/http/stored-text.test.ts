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
