import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { composeMail, type MailFacts } from "../../../signin/mail/compose-mail.ts";
import { type MailKind, SHARED_PARTS } from "../../../signin/mail/mail-kinds.ts";
import { LANGUAGES } from "../../../signin/texts/languages.ts";
import { TEXTS } from "../../../signin/texts/texts.ts";
import { createSigninWithUsers } from "../../support/signin/users.ts";

const KINDS = Object.keys(SHARED_PARTS) as MailKind[];
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

describe("mails in every language", () => {
  for (const language of LANGUAGES) {
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

it("the language of a mail is that of the request that caused it", async () => {
  await using signin = await createSigninWithUsers();
  const headers = { "accept-language": "ja-JP,ja;q=0.9,en;q=0.8" };
  await signin.post("/auth/signup/code", { email: "ann@example.test" }, { headers });
  assert.equal(signin.mails[0]?.subject, TEXTS.ja.mail.mails.signup_code[0]);
  assert.match(signin.mails[0]?.text ?? "", /コード: \d{8}/);
});
