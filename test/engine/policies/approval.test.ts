import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseApprovalPolicy } from "../../../engine/policies/operations.ts";

const asked = (thread: string | null, workspace: string | null) => {
  const policy = parseApprovalPolicy(thread, workspace);
  return (["create", "read", "update", "delete"] as const).filter((it) => policy[it]).join(" ");
};
const ALL = "create read update delete";

describe("the approval policy", () => {
  const cases = [
    ["nothing stored", null, null, ALL],
    ["an empty object", null, "{}", ALL],
    ["malformed JSON", null, "{", ALL],
    ["an empty string", null, "", ALL],
    ["an array", null, "[false]", ALL],
    ["null", null, "null", ALL],
    ["a boolean", null, "false", ALL],
    ["the workspace's", null, '{"read":false}', "create update delete"],
    [
      "the thread's over the workspace's",
      '{"create":false}',
      '{"read":false}',
      "read update delete",
    ],
    ["a malformed thread's, never the workspace's", "x", '{"read":false}', ALL],
    ["an empty thread's, never the workspace's", "", '{"read":false}', ALL],
    ["all false", null, '{"create":false,"read":false,"update":false,"delete":false}', ""],
    [
      "what is not literally false",
      null,
      '{"create":0,"read":null,"update":"false","delete":""}',
      ALL,
    ],
    ["legacy query", null, '{"query":false}', "create update delete"],
    ["legacy mutation", null, '{"mutation":false}', "read"],
    ["both legacy keys", null, '{"query":false,"mutation":false}', ""],
    ["a new key over the legacy one", null, '{"mutation":false,"delete":true}', "read delete"],
    [
      "a new key over the legacy one, too",
      null,
      '{"query":true,"read":false}',
      "create update delete",
    ],
    ["a new key that is null over the legacy one", null, '{"query":false,"read":null}', ALL],
    ["legacy keys that are not false", null, '{"query":1,"mutation":null}', ALL],
    ["keys of a prototype", null, '{"__proto__":{"read":false}}', ALL],
  ] as const;
  for (const [name, thread, workspace, expected] of cases) {
    it(`of ${name} asks for ${expected || "nothing"}`, () => {
      assert.equal(asked(thread, workspace), expected);
    });
  }
});
