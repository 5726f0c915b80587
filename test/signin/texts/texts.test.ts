import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SHARED_PARTS } from "../../../signin/mail/mail-kinds.ts";
import { LANGUAGES } from "../../../signin/texts/languages.ts";
import { TEXTS } from "../../../signin/texts/texts.ts";
import { readSources } from "../../house/sources.ts";

/** Each text under its whole key; a paragraph of a mail has its number. */
function flatten(texts: object, before = ""): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "string" ? [[before + key, value]] : flatten(value, `${before}${key} `),
  );
}

const valuesOf = (text = "") => (text.match(/\{[^}]*\}/g) ?? []).sort();
const ENGLISH = new Map(flatten(TEXTS.en));

describe("the texts of the page and the mails", () => {
  for (const language of LANGUAGES) {
    const texts = flatten(TEXTS[language]);

    it(`have in ${language} the keys of English, with the same values in them`, () => {
      assert.deepEqual(texts.map(([key]) => key).sort(), [...ENGLISH.keys()].sort());
      for (const [key, text] of texts) {
        assert.deepEqual(valuesOf(text), valuesOf(ENGLISH.get(key)), key);
        assert.equal(text, text.trim(), key);
        assert.notEqual(text, "", key);
        // The server writes those of the page into HTML as they are.
        if (key.startsWith("page")) assert.doesNotMatch(text, /[<>&"]/, key);
      }
    });

    it(`are in ${language} in that language`, () => {
      const isSameEverywhere = /^(Passkeys?|E-mail|Code|API.*)$/i;
      const left = texts.filter(([key, text]) => ENGLISH.get(key) === text);
      const found = left.filter(([, text]) => !isSameEverywhere.test(text));
      assert.deepEqual(language === "en" ? [] : found, []);
    });
  }

  it("address a reader of German as Sie", () => {
    const pronoun = /\b(?:[Dd]u|[Dd]ein\p{L}*|[Dd]ir|[Dd]ich|ihr|[Ee]uch|[Ee]ure?\p{L}*)\b/u;
    // The polite form of these has an ending.
    const imperative = /(?:^|[.:,;?!] )(?:bitte )?(?:versuch|prüf|wähl|öffn|trenn|setz|wart)e? /iu;
    const found = flatten(TEXTS.de).filter(
      ([, text]) => pronoun.test(text) || imperative.test(text),
    );
    assert.deepEqual(found, []);
  });

  it("are used, each of them", () => {
    const used = readSources("signin/page", "signin/http", "signin/mail")
      .map(({ text }) => text)
      .join("\n");
    const { page, mail } = TEXTS.en;
    assert.deepEqual(
      Object.keys(page).filter((key) => !used.includes(`.${key}`)),
      [],
    );
    assert.deepEqual(
      Object.keys(mail.words).filter((key) => !used.includes(`"${key}"`)),
      [],
    );
    assert.deepEqual(Object.keys(mail.mails).sort(), Object.keys(SHARED_PARTS).sort());
  });
});
