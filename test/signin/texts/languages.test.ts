import assert from "node:assert/strict";
import { it } from "node:test";
import { chooseLanguage } from "../../../signin/texts/languages.ts";

it("the language of a reader is the best one of the header that there is", () => {
  for (const [header, language] of [
    [null, "en"],
    ["", "en"],
    ["de", "de"],
    ["de-CH, en;q=0.5", "de"],
    ["en;q=0.5, fr-CA;q=0.8", "fr"],
    ["sv, es;q=0.9, en;q=0.8", "es"],
    ["pt", "pt-BR"],
    ["pt-PT,pt;q=0.9", "pt-BR"],
    ["JA", "ja"],
    ["JA-jp", "ja"],
    ["tlh", "en"],
    ["en;q=0.5, fr;q=0.8", "fr"],
    ["nl, de;q=0.9, en;q=0.8", "de"],
    ["sv, fi", "en"],
    ["*", "en"],
    ["de;q=0, fr;q=0.1", "fr"],
    ["de;q=nonsense, ja ; q=0.2", "ja"],
    ["deutsch", "en"],
    [`${"sv,".repeat(20)}de`, "en"],
    [";;;,,,=", "en"],
  ] as const) {
    assert.equal(chooseLanguage(header), language, String(header));
  }
});
