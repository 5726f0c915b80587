import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { actionOf, letterOfPages } from "../../../../engine/console/page/shortcut-keys.ts";
import { markWords } from "../../../../engine/console/page/ui/mark-words.ts";
import { nextTab } from "../../../../engine/console/page/ui/next-tab.ts";

describe("shortcuts", () => {
  const letters = letterOfPages(["home", "chat", "folders", "models", "usage", "audit", "apps"]);
  const key = (name: string, more = {}) => ({
    key: name,
    hasModifier: false,
    isTyping: false,
    ...more,
  });

  it("give each page a letter of its own", () => {
    assert.deepEqual([...letters.keys()].join(""), "hcfmuap");
    assert.equal(letters.get("p"), "apps");
  });

  const cases = [
    ["?", key("?"), false, { type: "help" }],
    ["/", key("/"), false, { type: "write" }],
    ["g", key("g"), false, { type: "go" }],
    ["g c", key("c"), true, { type: "page", path: "chat" }],
    ["c alone", key("c"), false, undefined],
    ["g and a letter of no page", key("x"), true, undefined],
    ["a letter in a field", key("g", { isTyping: true }), false, undefined],
    ["Escape in a field", key("Escape", { isTyping: true }), false, { type: "leave" }],
    ["Ctrl-G", key("g", { hasModifier: true }), false, undefined],
    [
      "Ctrl-K in a field",
      key("k", { hasModifier: true, isTyping: true }),
      false,
      { type: "search" },
    ],
  ] as const;
  for (const [name, pressed, isAfterGo, action] of cases) {
    it(`${name}: ${action?.type ?? "nothing"}`, () =>
      assert.deepEqual(actionOf(pressed, isAfterGo, letters), action));
  }
});

describe("tabs", () => {
  const cases = [
    ["a", "ArrowRight", "b"],
    ["c", "ArrowRight", "a"],
    ["a", "ArrowLeft", "c"],
    ["b", "Home", "a"],
    ["b", "End", "c"],
    ["b", "Enter", undefined],
  ] as const;
  for (const [current, pressed, next] of cases) {
    it(`${pressed} leads from ${current} to ${next}`, () =>
      assert.equal(nextTab(["a", "b", "c"], current, pressed), next));
  }
});

describe("words of a query in a text", () => {
  const cases = [
    ["Bread and bread", "bread", "[Bread] and [bread]"],
    ["a+b (c)", "+ (", "a[+]b [(]c)"],
    ["nothing", "bread", "nothing"],
    ["nothing", "  ", "nothing"],
  ] as const;
  for (const [text, query, marked] of cases) {
    it(`${query}: ${marked}`, () => {
      const parts = markWords(text, query);
      assert.equal(parts.map((part, at) => (at % 2 ? `[${part}]` : part)).join(""), marked);
    });
  }
});
