import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toAvatarUrl, toDisplayName } from "../../../signin/providers/profile.ts";

describe("a display name", () => {
  const cases: [value: unknown, name: string | undefined][] = [
    ["Ada", "Ada"],
    ["  Ada \n Lovelace\t", "Ada Lovelace"],
    ["a\u0000b\u001b[31m", "a b [31m"],
    ["", undefined],
    ["   ", undefined],
    [5, undefined],
    [null, undefined],
    [{}, undefined],
    ["x".repeat(300), "x".repeat(100)],
    ["🙂".repeat(101), "🙂".repeat(100)],
    ["a\ud800b", "a\ufffdb"],
  ];
  for (const [value, name] of cases) {
    it(`of ${JSON.stringify(value)?.slice(0, 30)} is ${name?.slice(0, 20)}`, () =>
      assert.equal(toDisplayName(value), name));
  }
});

describe("an avatar address", () => {
  const cases: [value: unknown, url: string | undefined][] = [
    ["https://pictures.example.test/1", "https://pictures.example.test/1"],
    ["http://pictures.example.test/1", undefined],
    ["javascript:alert(1)", undefined],
    ["data:image/png;base64,AA", undefined],
    ["https://user@pictures.example.test/", undefined],
    ["/relative", undefined],
    [`https://pictures.example.test/${"a".repeat(2048)}`, undefined],
    [7, undefined],
  ];
  for (const [value, url] of cases) {
    it(`of ${JSON.stringify(value)?.slice(0, 40)} is ${url}`, () =>
      assert.equal(toAvatarUrl(value), url));
  }
});
