import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { composeMail, type MailFacts } from "../../../signin/mail/compose-mail.ts";
import { type MailKind, SHARED_PARTS } from "../../../signin/mail/mail-kinds.ts";
import { TEXTS } from "../../../signin/mail/texts.ts";
import { chooseLanguage, type Language } from "../../../signin/texts/languages.ts";
import { createSigninWithUsers } from "../../support/signin/users.ts";

const KINDS = Object.keys(SHARED_PARTS) as MailKind[];
const LANGUAGES = Object.keys(TEXTS) as Language[];
const PLACE = { appName: "Ann & <Co>", baseUrl: "https://auth.example.test" };
const AT = "2026-01-02T03:04:05.000Z";
const FACTS: MailFacts = {
  code: "12345678",
  provider: "google",
  event: { at: AT, network: "203.0.113.0/24", device: "Firefox, Windows" },
  ways: {
    hasPassword: true,
    logins: [{ name: "google", since: AT }],
    passkeys: [AT],
    apiKeys: [{ name: "openai", since: AT }],
  },
};

const placesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe("mails in every language", () => {
  for (const language of LANGUAGES) {
    it(`say in ${language} what they say in English: the same parts with the same values`, () => {
      const { mails, words } = TEXTS[language];
      assert.deepEqual(Object.keys(mails).sort(), [...KINDS].sort());
      for (const kind of KINDS) {
        const english = TEXTS.en.mails[kind];
        assert.equal(mails[kind].length, english.length, kind);
        for (const [at, text] of mails[kind].entries()) {
          assert.deepEqual(
            [...new Set(placesOf(text))],
            [...new Set(placesOf(english[at] ?? ""))],
            `${kind} ${at}`,
          );
          assert.equal(text, text.trim());
        }
      }
      assert.deepEqual(Object.keys(words).sort(), Object.keys(TEXTS.en.words).sort());
      for (const [name, text] of Object.entries(TEXTS.en.words)) {
        assert.deepEqual(placesOf(words[name as keyof typeof words]), placesOf(text), name);
      }
      if (language !== "en") {
        for (const kind of KINDS) assert.notEqual(mails[kind][1], TEXTS.en.mails[kind][1], kind);
      }
    });

    it(`are whole in ${language}, as text and as HTML, with the code in neither subject nor wrong mails`, () => {
      for (const kind of KINDS) {
        const order = { kind, to: "ann@example.test", language, facts: FACTS };
        const { subject, text, html = "" } = composeMail(PLACE, order);
        assert.doesNotMatch(`${subject}${text}`, /[{}]|undefined/, kind);
        assert.doesNotMatch(subject, /\d{8}/);
        const parts: readonly string[] = SHARED_PARTS[kind];
        const hasCode = parts.includes("code");
        assert.equal(text.includes("12345678"), hasCode, kind);
        assert.equal(html.includes("12345678"), hasCode, kind);
        assert.match(html, new RegExp(`^<!doctype html><html lang="${language}">`));
        assert.match(html, /Ann &amp; &lt;Co&gt;/);
        assert.doesNotMatch(html, /<b>|<img|<script|https?:\/\/(?!auth\.example\.test)/);
        // The same words in both.
        const words = html.slice(html.indexOf("</strong></p>")).replaceAll("<br>", "\n");
        const plain = words.replaceAll("</p>", "\n\n").replaceAll(/<[^>]+>/g, "");
        const shown = plain
          .replaceAll("&lt;", "<")
          .replaceAll("&gt;", ">")
          .replaceAll("&quot;", '"');
        assert.equal(shown.replaceAll("&amp;", "&").trim(), text.trim(), kind);
      }
    });
  }
});

describe("the language of a mail", () => {
  it("is the one that Accept-Language prefers: weights count, a region gets its language", () => {
    const table: [string | null, Language][] = [
      [null, "en"],
      ["", "en"],
      ["tlh", "en"],
      ["de", "de"],
      ["de-AT", "de"],
      ["pt-PT", "pt-BR"],
      ["JA-jp", "ja"],
      ["en;q=0.5, fr;q=0.8", "fr"],
      ["fr;q=0, es;q=0.1", "es"],
      ["nl, de;q=0.9, en;q=0.8", "de"],
      ["*", "en"],
      ["de;q=x, fr;q=0.2", "fr"],
    ];
    for (const [header, language] of table) {
      assert.equal(chooseLanguage(header), language, String(header));
    }
  });

  it("is that of the request that caused it", async () => {
    await using signin = await createSigninWithUsers();
    const headers = { "accept-language": "ja-JP,ja;q=0.9,en;q=0.8" };
    await signin.post("/auth/signup/code", { email: "ann@example.test" }, { headers });
    assert.equal(signin.mails[0]?.subject, TEXTS.ja.mails.signup_code[0]);
    assert.match(signin.mails[0]?.text ?? "", /コード: \d{8}/);
  });
});
