import assert from "node:assert/strict";
import { it } from "node:test";
import { describeUnknownVariables } from "../../shared/unknown-variables.ts";

const KNOWN = ["ENGINE_PORT", "ENGINE_HOST", "ENGINE_DATA_DIR"];
const describe = (env: Record<string, string>) => describeUnknownVariables(env, "ENGINE_", KNOWN);

it("an unknown variable is named with the nearest known one, and never with its value", () => {
  const env = { ENGINE_PROT: "s3cret", ENGINE_DATADIR: "", ENGINE_PORT: "1", OTHER_PROT: "x" };
  assert.deepEqual(describe(env), [
    "ENGINE_PROT is not a known variable. Did you mean ENGINE_PORT?",
    "ENGINE_DATADIR is not a known variable. Did you mean ENGINE_DATA_DIR?",
  ]);
});

it("one that is near to none is named alone", () => {
  assert.deepEqual(describe({ ENGINE_SOMETHING_ELSE: "" }), [
    "ENGINE_SOMETHING_ELSE is not a known variable.",
  ]);
});

it("many and long ones are bounded", () => {
  const names = Array.from({ length: 1_000 }, (_, at) => [`ENGINE_${at}${"x".repeat(10_000)}`, ""]);
  const sentences = describe(Object.fromEntries(names));
  assert.equal(sentences.length, 20);
  assert.ok(sentences.every((sentence) => sentence.length < 150));
});
