import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestEngine } from "../../support/engine/engine.ts";
import { json } from "../../support/http.ts";

describe("PUT /settings", () => {
  it("treats (key, tag, client) as the scope, and null and the empty string as different", async () => {
    await using test = await createTestEngine();
    const scopes = [null, "", "x"].flatMap((tag) =>
      [null, "", "y"].map((client) => ({ key: "k", tag, client })),
    );
    const first = scopes.map((scope, at) => ({ ...scope, value: `first ${at}` }));
    assert.deepEqual(await json(await test.call("PUT", "/settings", first)), first.map(inOrder));
    const second = scopes.map((scope, at) => ({ ...scope, value: `second ${at}` }));
    await json(await test.call("PUT", "/settings", second));
    assert.deepEqual(await json(await test.call("GET", "/settings")), second.map(inOrder));
  });

  it("takes an omitted tag or client for null, and does not normalise values or keys", async () => {
    await using test = await createTestEngine();
    const given = [{ key: " K ", value: " v\n" }];
    const stored = [{ key: " K ", value: " v\n", tag: null, client: null }];
    assert.deepEqual(await json(await test.call("PUT", "/settings", given)), stored);
    assert.deepEqual(await json(await test.call("GET", "/settings")), stored);
  });

  it("keeps any text, U+0000 too", async () => {
    await using test = await createTestEngine();
    const given = [{ key: "k\u0000", value: 'a\u0000b🙂"\\', tag: "\u0000", client: null }];
    await json(await test.call("PUT", "/settings", given));
    assert.deepEqual(await json(await test.call("GET", "/settings")), given);
  });

  for (const [name, body, error] of [
    ["an empty array", [], "body: must have at least one item."],
    ["an object", { key: "k", value: "v" }, "body: must be an array."],
    ["a blank key", [{ key: " \t", value: "v" }], "0.key: must not be blank."],
    ["a missing key", [{ value: "v" }], "0.key: is required."],
    ["a missing value", [{ key: "k" }], "0.value: is required."],
    ["a value that is no string", [{ key: "k", value: 1 }], "0.value: must be a string."],
    ["null for a value", [{ key: "k", value: null }], "0.value: must be a string."],
    ["a wrong tag", [{ key: "k", value: "v", tag: 1 }], "0.tag: must be a string."],
    [
      "a scope that comes twice",
      [
        { key: "k", value: "a" },
        { key: "k", value: "b", tag: null },
      ],
      "1: has the same key, tag and client as one before it.",
    ],
    ["malformed JSON", "[", "The body is not valid JSON."],
  ] as const) {
    it(`answers 400 without details for ${name}, and stores nothing`, async () => {
      await using test = await createTestEngine();
      const valid = { key: "other", value: "v" };
      const whole = Array.isArray(body) && body.length > 0 ? [...body, valid] : body;
      assert.deepEqual(await json(await test.call("PUT", "/settings", whole), 400), { error });
      assert.deepEqual(await json(await test.call("GET", "/settings")), []);
    });
  }
});

describe("GET /settings", () => {
  const all = [
    { key: "b", value: "1", tag: null, client: null },
    { key: "a", value: "2", tag: "t", client: null },
    { key: "a", value: "3", tag: "", client: "c" },
    { key: "a", value: "4", tag: "t", client: "c" },
  ];

  for (const [query, values] of [
    ["", ["1", "2", "3", "4"]],
    ["?key=a", ["2", "3", "4"]],
    ["?key=A", []],
    ["?tag=t", ["2", "4"]],
    ["?tag=", ["3"]],
    ["?client=c&tag=t", ["4"]],
    ["?key=b&client=c", []],
    ["?unknown=1", ["1", "2", "3", "4"]],
  ] as const) {
    it(`answers ${values.length} settings in database order for "${query}"`, async () => {
      await using test = await createTestEngine();
      await test.call("PUT", "/settings", all);
      const found = await json(await test.call("GET", `/settings${query}`));
      assert.deepEqual(
        found.map(({ value }: { value: string }) => value),
        values,
      );
    });
  }
});

function inOrder({ key, value, tag, client }: Record<string, string | null>) {
  return { key, value, tag, client };
}
