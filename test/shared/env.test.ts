import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { BadConfiguration, listOf, parseEnv } from "../../shared/env.ts";

const Schema = z.object({
  A: z.string().default("a"),
  B: z.enum(["x", "y"], "must be x or y").optional(),
  SECRET: z.string("must be set").min(8, "must have at least 8 characters"),
});

describe("an environment", () => {
  it("is read by name; an empty variable counts as unset", () => {
    const parsed = parseEnv(Schema, { A: "", SECRET: "long enough", OTHER: "z" });
    assert.deepEqual(parsed, { A: "a", SECRET: "long enough" });
  });

  it("is refused with a sentence for every bad variable, and no value", () => {
    assert.throws(
      () => parseEnv(Schema, { B: "other", SECRET: "canary" }),
      (error: Error) => {
        assert.equal(error instanceof BadConfiguration, true);
        assert.equal(error.message, "B: must be x or y\nSECRET: must have at least 8 characters");
        return true;
      },
    );
  });

  it("has lists with commas", () => {
    const list = listOf(() => true, "");
    assert.deepEqual(list.parse(" a, ,b,"), ["a", "b"]);
    assert.deepEqual(list.parse(undefined), []);
  });
});
