import type { SigninConfig } from "../config/config.ts";
import { escapeHtml } from "../http/escape-html.ts";
import { EMAIL_CODE_LIFETIME_SEC, LONG_CODE_LIFETIME_SEC } from "../limits.ts";
import { fill } from "../texts/fill.ts";
import type { Language } from "../texts/languages.ts";
import { TEXTS, type Texts } from "../texts/texts.ts";
import { type MailKind, SHARED_PARTS, type SharedPart } from "./mail-kinds.ts";
import type { Mail } from "./mailer.ts";

/** A provider whose identity signs in or whose key is stored, and its time in ISO 8601. */
interface NamedSince {
  name: string;
  since: string;
}

/** The facts of a mail, as far as its kind has them. Times are ISO 8601 in UTC. */
export interface MailFacts {
  code?: string;
  /** Whether the code is a long one, which is good for a day. */
  isLongCode?: boolean;
  /** The provider of an identity or key. */
  provider?: string;
  /** When and where something happened. */
  event?: { at: string; network: string | null; device: string | null };
  ways?: WaysToSignIn;
  /** The end of an invitation. */
  until?: string;
}

/** What can sign in to an account, and its API keys. */
export interface WaysToSignIn {
  hasPassword: boolean;
  logins: readonly NamedSince[];
  /** When each was added. Its label is the text of a user, in which mail programs find links. */
  passkeys: readonly string[];
  apiKeys: readonly NamedSince[];
}

/** A mail that is to be written. */
export interface MailOrder {
  kind: MailKind;
  to: string;
  language: Language;
  facts?: MailFacts | undefined;
}

type FillWord = (
  word: keyof Texts["mail"]["words"],
  values?: Readonly<Record<string, string>>,
) => string;

/** Writes a mail in its language, as text and as HTML of the same paragraphs. */
export function composeMail(
  { appName, baseUrl }: Pick<SigninConfig, "appName" | "baseUrl">,
  { kind, to, language, facts = {} }: MailOrder,
): Mail {
  const { mails, words } = TEXTS[language].mail;
  const common = {
    host: new URL(baseUrl).host,
    url: baseUrl,
    minutes: String(EMAIL_CODE_LIFETIME_SEC / 60),
    hours: String(LONG_CODE_LIFETIME_SEC / 3600),
    provider: facts.provider ?? "",
    code: facts.code ?? "",
    until: toMinute(facts.until ?? ""),
  };
  const say: FillWord = (word, values) => fill(words[word], { ...common, ...values });
  const [subject, first, ...more] = mails[kind].map((text) => fill(text, common));
  const shared: readonly SharedPart[] = SHARED_PARTS[kind];
  const paragraphs = [
    first ?? "",
    ...shared.flatMap((part) => toParagraphs(part, facts, say)),
    ...more,
  ];
  const given = { language, subject: subject ?? "", appName, url: baseUrl, code: common.code };
  return {
    to,
    subject: given.subject,
    text: `${paragraphs.join("\n\n")}\n`,
    html: toHtml(paragraphs, given),
    code: facts.code,
  };
}

function toParagraphs(part: SharedPart, facts: MailFacts, say: FillWord): string[] {
  switch (part) {
    case "code":
      return [say("code"), say(facts.isLongCode ? "onceLong" : "once")];
    case "when":
      return [describeEvent(facts, say)];
    case "ways":
      return facts.ways ? [listWays(facts.ways, say)] : [];
    case "remedy":
      return [`${say("remedy")} ${say("providersStay")}`];
    case "newPassword":
      return [`${say("providersStay")} ${say("disconnect")}`, say("secureMailbox")];
    case "intruder":
      return [say("intruder")];
  }
}

function describeEvent({ event }: MailFacts, say: FillWord): string {
  const { at = "", network = null, device = null } = event ?? {};
  const from = network === null ? "" : say("from", { network });
  const by = device === null ? "" : `\n${say("device", { device })}`;
  return `${say("account", { time: toMinute(at) })}${from}${by}`;
}

function listWays({ hasPassword, logins, passkeys, apiKeys }: WaysToSignIn, say: FillWord): string {
  const toLine = ({ name, since }: NamedSince) =>
    `- ${say("since", { name, time: toMinute(since) })}`;
  const lines = [
    say("ways"),
    ...(hasPassword ? [`- ${say("password")}`] : []),
    ...logins.map(toLine),
    ...passkeys.map((since) => toLine({ name: say("passkey"), since })),
    ...(apiKeys.length > 0 ? ["", say("apiKeys"), ...apiKeys.map(toLine)] : []),
  ];
  return lines.join("\n");
}

/** `2026-01-02 03:04 UTC`. */
function toMinute(iso: string): string {
  return `${iso.slice(0, 16).replace("T", " ")} UTC`;
}

/** What a mail has around its paragraphs. */
interface HtmlMail {
  language: Language;
  subject: string;
  appName: string;
  /** The address of the server, which becomes a link. */
  url: string;
  /** Shown large; empty without a code. */
  code: string;
}

const PAGE = "margin:0;padding:24px 12px;background:#f3f4f6;color:#111827";
const CARD =
  "max-width:520px;margin:0 auto;padding:28px;border-radius:12px;background:#fff;font:16px/1.5 system-ui,sans-serif";
const CODE =
  "display:block;margin-top:4px;font:600 30px/1.4 ui-monospace,monospace;letter-spacing:4px";

/** Paragraphs of plain text as one document. It loads nothing: images and fonts would tell who reads it. */
function toHtml(paragraphs: readonly string[], mail: HtmlMail): string {
  const { language, subject, appName } = mail;
  const body = paragraphs.map((paragraph) => `<p>${toInline(paragraph, mail)}</p>`).join("");
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>` +
    `<body style="${PAGE}"><div style="${CARD}"><p><strong>${escapeHtml(appName)}</strong></p>${body}</div></body></html>\n`
  );
}

function toInline(paragraph: string, { url, code }: HtmlMail): string {
  const html = escapeHtml(paragraph).replaceAll("\n", "<br>");
  const link = `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`;
  const linked = html.replaceAll(escapeHtml(url), link);
  return code === "" ? linked : linked.replaceAll(code, `<strong style="${CODE}">${code}</strong>`);
}
