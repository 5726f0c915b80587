import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { BadConfiguration, listOf, oneOf, parseEnv, text, wholeNumber } from "../../shared/env.ts";

const TABLE = z.object({
  A: z.string().default("a"),
  B: oneOf(["x", "y"]).optional(),
  SECRET: z
    .string("must be set")
    .refine((value) => value.length >= 8, "must have at least 8 characters"),
});

const faultsOf = (schema: z.ZodType, given: string | undefined) =>
  schema.safeParse(given).error?.issues.map(({ message }) => message) ?? [];

describe("an environment", () => {
  it("is read by name; an empty variable counts as unset", () => {
    const parsed = parseEnv(TABLE, { A: "", SECRET: "long enough", OTHER: "z" });
    assert.deepEqual(parsed, { A: "a", SECRET: "long enough" });
  });

  it("is refused with a sentence for every bad variable, and no value", () => {
    assert.throws(
      () => parseEnv(TABLE, { B: "other", SECRET: "canary" }),
      (error: Error) => {
        assert.equal(error instanceof BadConfiguration, true);
        assert.equal(
          error.message,
          "B: must be one of x, y\nSECRET: must have at least 8 characters",
        );
        return true;
      },
    );
  });

  it("is refused where a variable without a default is missing", () => {
    assert.throws(() => parseEnv(TABLE, { SECRET: "" }), { message: "SECRET: must be set" });
  });

  it("has no binding that is not a text", () => {
    const env = { SECRET: { fetch: () => {} } } as unknown as Record<string, string>;
    assert.throws(() => parseEnv(TABLE, env), { message: "SECRET: must be set" });
  });

  it("has lists with commas", () => {
    const list = listOf((entry) => entry !== "bad", "must be good");
    assert.deepEqual(list.parse(" a, ,b,"), ["a", "b"]);
    assert.deepEqual(list.parse(undefined), []);
    assert.deepEqual(faultsOf(list, "a,bad"), ["must be good"]);
  });

  it("has whole numbers of decimal digits within their bounds", () => {
    const number = wholeNumber(1, 20);
    for (const given of ["1", "20", "007"]) {
      assert.equal(number.parse(given), Number(given));
    }
    for (const given of ["0", "21", "1.5", "-1", "1e1", "0x1", " 1", "1234567", "one"]) {
      assert.deepEqual(faultsOf(number, given), ["must be a whole number from 1 to 20"], given);
    }
  });

  it("names every rule that a value breaks, in the order of the table, and each sentence once", () => {
    const two = text.refine(() => false, "is bad").refine(() => false, "is worse");
    const schema = z
      .object({ Z: two, A: two })
      .superRefine(
        (_values, context) => context.addIssue({ code: "custom", path: ["A"], message: "is bad" }),
        { when: () => true },
      );
    assert.throws(() => parseEnv(schema, { Z: "z", A: "a" }), {
      message: "Z: is bad\nZ: is worse\nA: is bad\nA: is worse",
    });
  });

  it("takes a default without asking the rules, and no rule where the form is wrong", () => {
    const odd = oneOf(["x"])
      .refine(() => false, "is never good")
      .default("x");
    assert.deepEqual(faultsOf(odd, undefined), []);
    assert.deepEqual(faultsOf(odd, "x"), ["is never good"]);
    assert.deepEqual(faultsOf(odd, "y"), ["must be one of x"]);
  });
});
