import { escapeHtml } from "../http/escape-html.ts";
import type { Language } from "../texts/languages.ts";

/** What a mail has around its paragraphs. */
interface HtmlMail {
  language: Language;
  subject: string;
  appName: string;
  /** The address of the server, which becomes a link. */
  url: string;
  /** Shown large; empty where there is none. */
  code: string;
}

const PAGE = "margin:0;padding:24px 12px;background:#f3f4f6;color:#111827";
const CARD =
  "max-width:520px;margin:0 auto;padding:28px;border-radius:12px;background:#fff;font:16px/1.5 system-ui,sans-serif";
const CODE =
  "display:block;margin-top:4px;font:600 30px/1.4 ui-monospace,monospace;letter-spacing:4px";

/** Paragraphs of plain text as one document. It loads nothing: images and fonts would tell who reads it. */
export function toHtml(paragraphs: readonly string[], mail: HtmlMail): string {
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
