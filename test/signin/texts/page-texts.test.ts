import assert from "node:assert/strict";
import { it } from "node:test";
import { LANGUAGES } from "../../../signin/texts/languages.ts";
import { PAGE_TEXTS } from "../../../signin/texts/page-texts.ts";
import type { PageTexts } from "../../../signin/texts/text-keys.ts";
import { readSources } from "../../house/sources.ts";

const SOURCES = readSources("signin/page", "signin/http", "signin/texts")
  .filter(({ path }) => !/generated|texts\/(?!fill)/.test(path))
  .flatMap(({ lines }) => lines)
  .join("\n");

function flatten(texts: object, before = ""): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "string" ? [[before + key, value]] : flatten(value, `${before}${key} `),
  );
}

const placesOf = (text: string) => (text.match(/\{[^}]*\}/g) ?? []).sort();
const textsOf = (texts: PageTexts) => flatten(texts);

it("every language has the texts of English, with the same values in them", () => {
  const english = new Map(textsOf(PAGE_TEXTS.en));
  for (const language of LANGUAGES) {
    const texts = textsOf(PAGE_TEXTS[language]);
    assert.deepEqual(
      texts.map(([key]) => key).sort(),
      [...english.keys()].sort(),
      `${language}: keys`,
    );
    for (const [key, text] of texts) {
      assert.deepEqual(placesOf(text), placesOf(english.get(key) ?? ""), `${language}: ${key}`);
      assert.equal(text, text.trim(), `${language}: ${key}`);
      assert.notEqual(text, "", `${language}: ${key}`);
      // They stand in HTML of the server as they are.
      assert.doesNotMatch(text, /[<>&"]/, `${language}: ${key}`);
    }
  }
});

it("a text of another language is not left in English", () => {
  const isSameEverywhere = /^(Passkeys?|E-mail|Code|Passwort|API.*|or|Profil)$/;
  for (const language of LANGUAGES) {
    if (language === "en") continue;
    const left = textsOf(PAGE_TEXTS[language]).filter(
      ([key, text]) => new Map(textsOf(PAGE_TEXTS.en)).get(key) === text,
    );
    assert.deepEqual(
      left.filter(([, text]) => !isSameEverywhere.test(text)),
      [],
      language,
    );
  }
});

it("every text is used", () => {
  const unused = Object.keys(PAGE_TEXTS.en).filter((key) => !SOURCES.includes(`.${key}`));
  assert.deepEqual(unused, []);
});
