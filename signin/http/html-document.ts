import { MARK_SHAPES } from "../../shared/mark.ts";
import type { SigninConfig } from "../config/config.ts";
import type { Language } from "../texts/languages.ts";
import { escapeHtml } from "./escape-html.ts";

/** The name and logo that people see. */
export type Brand = Pick<SigninConfig, "appName" | "logoUrl">;

/** A whole page for people, in the style of page/page.css. `head` and `body` are HTML. */
interface HtmlPage {
  language: Language;
  /** Stands before the name of the app in the title of the window. */
  title: string;
  /** The path of its style sheet; page/page.css alone if it is left out. */
  style?: string;
  head?: string;
  body: string;
}

const MARK = `<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">${MARK_SHAPES}</svg>`;

/** One card or the whole account: `#view` is its content, below the brand. */
export function toHtml({ appName, logoUrl }: Brand, page: HtmlPage): string {
  const logo =
    logoUrl === undefined
      ? MARK
      : `<img class="mark" src="${escapeHtml(logoUrl)}" alt="" width="36" height="36">`;
  return `<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · ${escapeHtml(appName)}</title>
<link rel="icon" href="/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${page.style ?? "/page/style.css"}">${page.head ?? ""}
</head>
<body>
<div id="frame">
<header id="brand">${logo}<span>${escapeHtml(appName)}</span></header>
${page.body}
</div>
</body>
</html>
`;
}

/** The policy of a page whose scripts and styles are files of this server alone: an injected one does not run. */
export function pagePolicy(own: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ...own,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}

/** `img-src` of a page: the built-in mark, and the origin of the operator's logo. */
export function imagePolicy({ logoUrl }: Brand): string {
  return logoUrl === undefined ? "img-src 'self'" : `img-src 'self' ${new URL(logoUrl).origin}`;
}
