import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  BadConfiguration,
  listOf,
  oneOf,
  parseEnv,
  string,
  text,
  wholeNumber,
} from "../../shared/env.ts";

const TABLE = {
  A: string().default("a"),
  B: oneOf(["x", "y"]).optional(),
  SECRET: string().refine((value) => value.length >= 8, "must have at least 8 characters"),
};

describe("an environment", () => {
  it("is read by name; an empty variable counts as unset", () => {
    const parsed = parseEnv(TABLE, { A: "", SECRET: "long enough", OTHER: "z" });
    assert.deepEqual(parsed, { A: "a", B: undefined, SECRET: "long enough" });
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
    assert.deepEqual(list.read(" a, ,b,").value, ["a", "b"]);
    assert.deepEqual(list.read(undefined).value, []);
    assert.deepEqual(list.read("a,bad").faults, ["must be good"]);
  });

  it("has whole numbers of decimal digits within their bounds", () => {
    const number = wholeNumber(1, 20);
    for (const given of ["1", "20", "007"]) {
      assert.deepEqual(number.read(given), { value: Number(given), faults: [], hasForm: true });
    }
    for (const given of ["0", "21", "1.5", "-1", "1e1", "0x1", " 1", "1234567", "one"]) {
      assert.deepEqual(number.read(given).faults, ["must be a whole number from 1 to 20"], given);
    }
  });

  it("names every rule that a value breaks, in the order of the table, and each sentence once", () => {
    const two = text.refine(() => false, "is bad").refine(() => false, "is worse");
    assert.throws(
      () => parseEnv({ Z: two, A: two }, {}, (_values, refuse) => refuse("A", "is bad")),
      { message: "Z: is bad\nZ: is worse\nA: is bad\nA: is worse" },
    );
  });

  it("has rules about several variables, which see whether each one is good alone", () => {
    const seen: [unknown, boolean][] = [];
    const check = ({ B }: { B: string | undefined }, _refuse: unknown, isGood: boolean) =>
      seen.push([B, isGood]);
    parseEnv(TABLE, { B: "x", SECRET: "long enough" }, check);
    assert.throws(() => parseEnv(TABLE, { B: "other", SECRET: "long enough" }, check));
    assert.deepEqual(seen, [
      ["x", true],
      ["other", false],
    ]);
  });

  it("takes a default without asking the rules, and no rule where the form is wrong", () => {
    const odd = oneOf(["x"])
      .refine(() => false, "is never good")
      .default("x");
    assert.deepEqual(odd.read(undefined).faults, []);
    assert.deepEqual(odd.read("x").faults, ["is never good"]);
    assert.deepEqual(odd.read("y").faults, ["must be one of x"]);
  });
});
