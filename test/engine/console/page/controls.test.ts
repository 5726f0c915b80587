import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { actionOf, letterOfPages } from "../../../../engine/console/page/shortcut-keys.ts";
import { nextTab } from "../../../../engine/console/page/ui/next-tab.ts";
import { sparklineArea, sparklinePath } from "../../../../engine/console/page/ui/sparkline-path.ts";

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
    ["/", key("/"), false, { type: "search" }],
    ["g", key("g"), false, { type: "go" }],
    ["g c", key("c"), true, { type: "page", path: "chat" }],
    ["c alone", key("c"), false, undefined],
    ["g and a letter of no page", key("x"), true, undefined],
    ["a letter in a field", key("g", { isTyping: true }), false, undefined],
    ["Escape in a field", key("Escape", { isTyping: true }), false, { type: "leave" }],
    ["Ctrl-G", key("g", { hasModifier: true }), false, undefined],
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

describe("a sparkline", () => {
  it("has no line for a single value", () => assert.equal(sparklinePath([1], 60), ""));
  it("ends at the right edge", () => assert.equal(sparklinePath([0, 1], 3), "M50 22.5L100 1.5"));
  it("has an area down to the bottom", () => {
    assert.equal(sparklineArea("M50 22.5L100 1.5"), "M50 22.5L100 1.5V24H50Z");
    assert.equal(sparklineArea(""), "");
  });
  it("is in the middle for equal values", () =>
    assert.equal(sparklinePath([7, 7], 2), "M0 12L100 12"));
  it("shows the last values where there are more than fit", () =>
    assert.equal(sparklinePath([9, 0, 1], 2), "M0 22.5L100 1.5"));
});
